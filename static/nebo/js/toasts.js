// Toasts leave by themselves, but never while they are pointed at or focused; one with Undo stays longer.
const STAYS_MS = 6000;
const STAYS_WITH_UNDO_MS = 15000;
const region = document.getElementById("toasts");

function leave(toast) {
  if (!toast.isConnected) return;
  if (toast.matches(":hover, :focus-within")) {
    setTimeout(() => leave(toast), STAYS_MS);
    return;
  }
  toast.classList.add("is-leaving");
  setTimeout(() => toast.remove(), 250);
}

function start(toast) {
  if (toast.dataset.started) return;
  toast.dataset.started = "true";
  setTimeout(() => leave(toast), toast.querySelector("form") ? STAYS_WITH_UNDO_MS : STAYS_MS);
}

function show(text) {
  const toast = document.getElementById("toast-template").content.firstElementChild.cloneNode(true);
  toast.querySelector("p").textContent = text;
  document.getElementById("toasts").append(toast);
}

// What a person reads when the network or the server let them down stands with the template, in the page's language.
function reasonFor(status) {
  const { dataset } = document.getElementById("toast-template");
  return dataset[`reason-${status === 412 ? 409 : status}`] ?? dataset.reason;
}

function explain(event) {
  const { xhr, requestConfig } = event.detail;
  const polling = requestConfig?.triggeringEvent === undefined && requestConfig?.verb === "get";
  if (polling) return; // it will ask again by itself
  show(reasonFor(xhr?.status ?? 0));
}

new MutationObserver(() => document.querySelectorAll("#toasts > .toast").forEach(start)).observe(document.body, {
  childList: true,
  subtree: true,
});
region?.querySelectorAll(".toast").forEach(start);

document.addEventListener("click", (event) => {
  const close = event.target.closest("[data-close-toast]");
  if (close) close.closest(".toast").remove();
});
document.addEventListener("htmx:afterRequest", (event) => {
  if (event.detail.successful && event.target.closest(".toast")) event.target.closest(".toast").remove();
});
document.addEventListener("htmx:responseError", explain);
document.addEventListener("htmx:sendError", explain);
