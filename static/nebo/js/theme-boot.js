// Runs before the first paint, so that a chosen theme never flashes. The buttons live in theme.js.
(() => {
  const root = document.documentElement;
  root.classList.add("js");
  try {
    const choice = localStorage.getItem("nebo-theme");
    if (choice === "light" || choice === "dark") root.dataset.theme = choice;
  } catch {
    // Storage is blocked: the system's preference stands.
  }
})();
