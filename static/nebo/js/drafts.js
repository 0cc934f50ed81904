// What was sent from a form when the login had just ended is there again after signing in; the same where its page had
// stood open for too long, and is fetched anew. Kept in this tab alone, for the same login, and only on that way.
const DRAFT = "nebo-draft";
const page = document.getElementById("main");
const login = page?.dataset.login;
const draft = JSON.parse(sessionStorage.getItem(DRAFT) ?? "null");

const addressOf = (form) => new URL(form.getAttribute("action") ?? "", location).pathname;
const isTicked = (field) => field.matches("[type='checkbox'], [type='radio']");
const fieldsOf = (form) =>
  [...form.elements].filter((one) =>
    one.matches("textarea, select, input:not([type='hidden'], [type='password'], [type='file'])"),
  );

function keep(wanted) {
  sessionStorage.setItem(DRAFT, JSON.stringify(wanted));
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!login || !page.contains(form) || form.getAttribute("method") !== "post") return;
  const values = fieldsOf(form).map((one) => (isTicked(one) ? one.checked : one.value));
  if (values.length) keep({ login, path: location.pathname, action: addressOf(form), values });
}, true);

// It was taken: nothing is to come back.
document.addEventListener("htmx:beforeOnLoad", ({ detail }) => {
  const refused = detail.xhr.status === 403 && detail.xhr.getResponseHeader("HX-Refresh");
  const sent = JSON.parse(sessionStorage.getItem(DRAFT) ?? "null");
  if (refused && sent) keep({ ...sent, stale: true });
});
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (detail.xhr.getResponseHeader("HX-Refresh")) return;
  if (detail.requestConfig.verb === "get" || detail.xhr.getResponseHeader("HX-Redirect")) return;
  sessionStorage.removeItem(DRAFT);
});

function fill(form) {
  fieldsOf(form).forEach((one, at) => {
    if (isTicked(one)) one.checked = draft.values[at];
    else one.value = draft.values[at];
  });
  form.closest("details")?.setAttribute("open", "");
  const note = document.createElement("p");
  note.className = "note";
  note.setAttribute("role", "status");
  note.textContent = draft.stale ? page.dataset.stale : page.dataset.typed;
  form.before(note);
}

function bringBack() {
  sessionStorage.removeItem(DRAFT);
  if (!(draft.signedIn || draft.stale) || draft.login !== login) return;
  const form = [...page.querySelectorAll("form")].find(
    (one) => addressOf(one) === draft.action && fieldsOf(one).length === draft.values.length,
  );
  if (form) fill(form);
  else if (location.pathname === draft.path && draft.action.endsWith("/edit/")) {
    keep({ ...draft, path: draft.action });
    location.replace(draft.action); // it was edited within a list
  }
}

if (draft && login) bringBack();
else if (draft && location.pathname.startsWith("/accounts/")) keep({ ...draft, signedIn: true });
