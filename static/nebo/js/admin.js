// Names for what Django's admin site draws without one: tooltips, pickers of a row, a date with its time, and the cells of
// a list, whose columns stand below each other on a phone.
const textOf = (element) => element?.textContent.replace(":", "").trim() ?? "";

const nameCells = (table) => {
  table.dataset.named = "";
  const names = [...table.querySelectorAll("thead th")].map((head) => textOf(head.querySelector(".text") ?? head));
  for (const row of table.querySelectorAll("tbody tr")) {
    [...row.cells].forEach((cell, at) => (cell.dataset.label = names[at] ?? ""));
  }
};

const nameAll = () => {
  if (document.readyState !== "loading") document.querySelectorAll("#result_list:not([data-named])").forEach(nameCells);
  for (const tip of document.querySelectorAll("span.help-tooltip[aria-label]:not([role])")) {
    tip.setAttribute("role", "img");
  }
  for (const picker of document.querySelectorAll(".select2-container")) {
    const select = picker.previousElementSibling;
    const label = select?.id ? textOf(document.querySelector(`label[for="${select.id}"]`)) : "";
    if (!label) continue;
    for (const part of picker.querySelectorAll(".select2-selection:not([data-named]), .select2-selection__rendered:not([data-named])")) {
      part.dataset.named = "";
      part.removeAttribute("aria-labelledby");
      part.setAttribute("aria-label", label);
    }
  }
  for (const input of document.querySelectorAll(".vDateField:not([aria-label]), .vTimeField:not([aria-label])")) {
    if (input.labels.length) continue;
    const row = textOf(input.closest(".form-row, .fieldBox")?.querySelector("label, legend"));
    input.setAttribute("aria-label", `${row}: ${input.classList.contains("vDateField") ? "date" : "time"}`);
  }
};

new MutationObserver(nameAll).observe(document, { childList: true, subtree: true });
document.addEventListener("DOMContentLoaded", nameAll);
