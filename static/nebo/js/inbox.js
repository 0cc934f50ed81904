// The inbox by keyboard. Without this, its buttons and links work one by one.
if (document.getElementById("inbox")) {
  let at = -1; // the place that j and k have reached
  let id = ""; // and what stood there

  const rows = () => [...document.querySelectorAll("#inbox .waiting")];

  function current() {
    const focused = document.activeElement?.closest(".waiting");
    return focused ?? rows().find((row) => row.id === id) ?? null;
  }

  function goTo(row, place) {
    for (const one of rows()) one.classList.toggle("is-at", one === row);
    at = place;
    id = row.id;
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
  }

  function step(by) {
    const all = rows();
    if (!all.length) return;
    const here = all.indexOf(current());
    const next = here < 0 ? Math.max(at, 0) : here + by;
    const place = Math.min(Math.max(next, 0), all.length - 1);
    goTo(all[place], place);
  }

  function press(selector) {
    const row = current();
    if (!row) return;
    at = rows().indexOf(row);
    id = row.id;
    row.querySelector(selector)?.click();
  }

  const KEYS = {
    j: () => step(1),
    k: () => step(-1),
    a: () => press("[data-approve]"),
    e: () => press("[data-edit]"),
    x: () => press("[data-reject]"),
    u: () => [...document.querySelectorAll(".toast form button, #inbox .lately form[action*='/undo/'] button")][0]?.click(),
    "?": () => document.getElementById("keys")?.showModal(),
  };

  document.addEventListener("keydown", (event) => {
    const writing = event.target.closest("textarea, select, [contenteditable], dialog, input:not([type=checkbox])");
    if (writing || event.metaKey || event.ctrlKey || event.altKey || !KEYS[event.key]) return;
    event.preventDefault();
    KEYS[event.key]();
  });

  // Where something was decided, the next one comes into its place, and keeps the keyboard.
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.target.id !== "inbox" || at < 0) return;
    const all = rows();
    const same = all.findIndex((row) => row.id === id);
    const place = same >= 0 ? same : Math.min(at, all.length - 1);
    if (place >= 0) goTo(all[place], place);
  });
}
