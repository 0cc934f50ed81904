// The secret of an invitation stands behind the # of its link, which no server is sent: it goes into the form instead, and
// out of the address and the history.
const form = document.querySelector("#join-form");
const code = location.hash.slice(1);

if (code) history.replaceState(null, "", location.pathname);
if (code && form) {
  form.elements.code.value = code;
  form.requestSubmit();
}
