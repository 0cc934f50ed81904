// Tooltips that Django's admin site draws as bare spans get the role that lets them have a name.
const giveRoles = () => {
  for (const tip of document.querySelectorAll("span.help-tooltip[aria-label]:not([role])")) tip.setAttribute("role", "img");
};
new MutationObserver(giveRoles).observe(document, { childList: true, subtree: true });
