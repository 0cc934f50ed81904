// Names for what Django's admin site draws without one: tooltips, pickers of a row, and a date with its time.
const textOf = (element) => element?.textContent.replace(":", "").trim() ?? "";

const nameAll = () => {
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
