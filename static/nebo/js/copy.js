// <button data-copy="#id">: puts that element's text on the clipboard and says so for two seconds.
const SAID_FOR_MS = 2000;

async function copy(button) {
  const source = document.querySelector(button.dataset.copy);
  const label = button.querySelector("[data-label]");
  const before = button.dataset.before ?? label.textContent;
  button.dataset.before = before;
  try {
    await navigator.clipboard.writeText(source.textContent.trim());
    label.textContent = button.dataset.copied;
  } catch {
    getSelection().selectAllChildren(source); // no clipboard on plain http: leave it selected for Ctrl-C
    label.textContent = button.dataset.selected;
  }
  document.dispatchEvent(new CustomEvent("nebo:announce", { detail: label.textContent }));
  clearTimeout(Number(button.dataset.timer));
  button.dataset.timer = setTimeout(() => (label.textContent = before), SAID_FOR_MS);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy]");
  if (button) copy(button);
});
