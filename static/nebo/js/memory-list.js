// The list of memories by keyboard, and ticking many at once. Without this, the boxes and buttons work one by one.
const results = document.querySelector("#results[data-memories]");

if (results) {
  let lastPicked = null; // where a row of ticks with Shift begins
  let at = null; // id of the row that j and k have reached

  const rows = () => [...results.querySelectorAll(".memory")];
  const boxes = () => [...results.querySelectorAll("[data-pick]")];
  const current = () => (document.activeElement?.closest(".memory") ?? document.getElementById(at)) || null;

  function count() {
    const ticked = boxes().filter((box) => box.checked).length;
    const whole = results.querySelector("[data-pick-page]");
    const label = results.querySelector("[data-picked]");
    if (!whole || !label) return;
    whole.checked = ticked > 0 && ticked === boxes().length;
    whole.indeterminate = ticked > 0 && !whole.checked;
    label.textContent = ticked ? label.dataset.some.replace("0", ticked) : label.dataset.none;
  }

  function pick(box, { upTo = false } = {}) {
    const all = boxes();
    const from = all.findIndex((one) => one.value === lastPicked);
    const to = all.indexOf(box);
    if (upTo && from >= 0) {
      for (const one of all.slice(Math.min(from, to), Math.max(from, to) + 1)) one.checked = box.checked;
    }
    lastPicked = box.value;
    count();
  }

  results.addEventListener("click", (event) => {
    if (event.target.matches("[data-pick]")) pick(event.target, { upTo: event.shiftKey });
  });

  results.addEventListener("change", (event) => {
    if (event.target.matches("[data-pick-page]")) for (const box of boxes()) box.checked = event.target.checked;
    if (event.target.matches("[data-pick-match]")) for (const box of boxes()) box.checked = event.target.checked;
    count();
  });

  // A form that carries what is ticked in another one: to the page that asks before memories go for good.
  document.addEventListener("submit", (event) => {
    const source = document.getElementById(event.target.dataset.carry ?? "");
    if (!source) return;
    event.target.replaceChildren();
    for (const box of boxes().filter((one) => one.checked)) {
      const field = Object.assign(document.createElement("input"), { type: "hidden", name: "memory", value: box.value });
      event.target.append(field);
    }
    if (!event.target.children.length) event.preventDefault();
  });

  function go(step) {
    const all = rows();
    if (!all.length) return;
    const here = all.indexOf(current());
    const next = all[Math.min(Math.max(here + step, 0), all.length - 1)];
    for (const row of all) row.classList.toggle("is-at", row === next);
    at = next.id;
    next.querySelector(".memory-value")?.focus();
    next.scrollIntoView({ block: "nearest" });
  }

  const press = (selector) => document.querySelector(selector)?.click();
  const inRow = (selector) => current()?.querySelector(selector)?.click();
  const several = () => boxes().some((box) => box.checked);

  function untick() {
    for (const box of results.querySelectorAll("input:checked")) box.checked = false;
    count();
  }

  const KEYS = {
    j: () => go(1),
    k: () => go(-1),
    x: () => inRow("[data-pick]"),
    X: () => {
      const box = current()?.querySelector("[data-pick]");
      if (!box) return;
      box.checked = !box.checked;
      pick(box, { upTo: true });
    },
    e: () => inRow("[id^='edit-']"),
    p: () => (several() ? press("#bulk [value=pin]") : inRow("[id^='pin-']")),
    "#": () => (several() ? press("#bulk [value=delete]") : inRow("[id^='trash-']")),
    u: () => [...document.querySelectorAll(".toast form button")].at(-1)?.click(),
    "?": () => document.getElementById("keys")?.showModal(),
    Escape: untick,
  };

  document.addEventListener("keydown", (event) => {
    const writing = event.target.closest("textarea, select, [contenteditable], dialog, input:not([type=checkbox])");
    if (event.key === "Escape") {
      const form = event.target.closest(".memory .form");
      if (form) form.querySelector(".button-plain")?.click(); // leaves a correction
      else if (event.target.matches("[data-search]")) event.target.blur();
    }
    if (writing || event.metaKey || event.ctrlKey || event.altKey || !KEYS[event.key]) return;
    if (event.key !== "Escape") event.preventDefault();
    KEYS[event.key]();
  });

  // What was ticked before the list was exchanged is ticked after it; where one was, one stays.
  let before = new Set();
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.target === results) before = new Set(boxes().filter((box) => box.checked).map((box) => box.value));
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.target !== results) return;
    const acted = event.detail.requestConfig?.triggeringEvent?.type === "memories-changed";
    if (!acted) for (const box of boxes()) box.checked = before.has(box.value);
    document.getElementById(at)?.classList.add("is-at");
    count();
  });

  // Where the list was left, for the link back from a memory.
  const remember = () => sessionStorage.setItem("nebo-list", location.pathname + location.search);
  if (document.getElementById("filters")) {
    remember();
    document.addEventListener("htmx:pushedIntoHistory", remember);
    document.addEventListener("htmx:replacedInHistory", remember);
  }
}
