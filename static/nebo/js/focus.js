// Keeps keyboard and screen reader users in place when a part of the page is exchanged.
const announcer = document.getElementById("announcer");

function announce(text) {
  if (announcer && text) announcer.textContent = text.replace(/\s+/g, " ").trim();
}

document.addEventListener("nebo:announce", (event) => announce(event.detail));

// "/" goes to the search field, as in most tools with one.
document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, textarea, select, [contenteditable]");
  if (event.key !== "/" || typing || event.metaKey || event.ctrlKey || event.altKey) return;
  const search = document.querySelector("[data-search]");
  if (!search) return;
  event.preventDefault();
  search.focus();
  search.select();
});

// A row that goes away leaves its place to the next one.
let orphan = null;
document.addEventListener("htmx:beforeSwap", (event) => {
  const row = document.activeElement?.closest(".memory");
  if (row && event.detail.target.contains(row)) {
    orphan = [...row.parentElement.children].indexOf(row);
  }
});

function adopt() {
  if (orphan === null || document.activeElement !== document.body) return;
  const rows = document.querySelectorAll(".memory");
  const next = rows[Math.min(orphan, rows.length - 1)];
  (next?.querySelector(".memory-value") ?? document.querySelector("[data-search]"))?.focus();
}

document.addEventListener("htmx:afterSettle", (event) => {
  const target = event.target;
  const wanted = target.querySelector?.("[aria-invalid='true'], [data-autofocus]");
  if (wanted) wanted.focus();
  else adopt();
  orphan = null;
  announce(target.querySelector?.("[data-announce]")?.textContent);
});
