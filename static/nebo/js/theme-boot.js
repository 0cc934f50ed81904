// Runs before the first paint, so that a chosen theme never flashes. The buttons live in theme.js.
// It also tells the server the browser's time zone, in which pages then tell times.
(() => {
  const root = document.documentElement;
  root.classList.add("js");
  try {
    const choice = localStorage.getItem("nebo-theme");
    if (choice === "light" || choice === "dark") root.dataset.theme = choice;
  } catch {
    // Storage is blocked: the system's preference stands.
  }
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone && !document.cookie.includes(`nebo_zone=${zone}`)) {
    const secure = location.protocol === "https:" ? "; Secure" : "";
    document.cookie = `nebo_zone=${zone}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
  }
})();
