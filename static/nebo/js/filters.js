// Keeps empty filters out of the address: ?q=swim instead of ?q=swim&layer=&type=&status=.
document.addEventListener("htmx:configRequest", (event) => {
  const { verb, formData, elt } = event.detail;
  if (verb !== "get" || !elt.closest(".finder, #results")) return;
  for (const [name, value] of [...formData]) if (value === "") formData.delete(name);
});
