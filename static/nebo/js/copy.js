// <button data-copy="#id">: puts that element's text on the clipboard and says so for two seconds.
const SAID_FOR_MS = 2000;

// What the button is called contains what stands on it, for whoever speaks to it.
function say(button, words, name) {
  button.querySelector("[data-label]").textContent = words;
  button.setAttribute("aria-label", name);
}

async function copy(button) {
  const source = document.querySelector(button.dataset.copy);
  const before = (button.dataset.before ??= button.querySelector("[data-label]").textContent);
  const name = (button.dataset.name ??= button.getAttribute("aria-label") ?? before);
  let said = button.dataset.copied;
  try {
    await navigator.clipboard.writeText(source.textContent.trim());
  } catch {
    getSelection().selectAllChildren(source); // no clipboard on plain http: leave it selected for Ctrl-C
    said = button.dataset.selected;
  }
  say(button, said, `${said}: ${name}`);
  document.dispatchEvent(new CustomEvent("nebo:announce", { detail: said }));
  clearTimeout(Number(button.dataset.timer));
  button.dataset.timer = setTimeout(() => say(button, before, name), SAID_FOR_MS);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy]");
  if (button) copy(button);
});
