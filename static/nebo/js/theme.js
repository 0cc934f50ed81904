// The light / dark / system buttons. A choice is kept in localStorage; "system" keeps nothing.
const KEY = "nebo-theme";

function apply(choice) {
  if (choice === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = choice;
  for (const button of document.querySelectorAll("[data-theme-choice]")) {
    button.setAttribute("aria-pressed", String(button.dataset.themeChoice === choice));
  }
}

function remember(choice) {
  try {
    if (choice === "system") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, choice);
  } catch {
    // Storage is blocked: the choice lasts for this page.
  }
}

apply(document.documentElement.dataset.theme ?? "system");

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-theme-choice]");
  if (!button) return;
  apply(button.dataset.themeChoice);
  remember(button.dataset.themeChoice);
});

// Another tab changed its mind.
addEventListener("storage", (event) => {
  if (event.key === KEY) apply(event.newValue ?? "system");
});
