// The page of one memory: the way back to the list as it was left, and the keys of the list that make sense here.
const crumb = document.querySelector("[data-back-to-list]");
const left = sessionStorage.getItem("nebo-list") ?? "";
if (crumb && left.split("?")[0] === crumb.dataset.backToList) crumb.href = left;

const press = (selector) => document.querySelector(selector)?.click();
const KEYS = {
  e: () => press("#edit-memory"),
  p: () => press("main :is(form[action$='/pin/'], form[action$='/unpin/']) button"),
  "#": () => press("main form[action$='/delete/'] button"),
  u: () => [...document.querySelectorAll(".toast form button")].at(-1)?.click(),
};

if (crumb) document.addEventListener("keydown", (event) => {
  const writing = event.target.closest("input, textarea, select, [contenteditable]");
  if (writing || event.metaKey || event.ctrlKey || event.altKey || !KEYS[event.key]) return;
  event.preventDefault();
  KEYS[event.key]();
});
