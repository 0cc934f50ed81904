// An open page asks now and then whether anything is new. While nothing is, the answer is an empty 304, and the pauses grow.
// When something is, the figures in the navigation are exchanged, and each [data-live-part] fetches itself again; but never
// under somebody's hands: then a note says that there is something new.
const SOON_MS = 3000;
const LATE_MS = 30000;
const GROWS = 1.4;
const SOON_FOR_MS = 600000; // how long a page that waits for something ([data-live-soon]) asks every three seconds

const place = document.querySelector("[data-live]");
const opened = Date.now();
let tag = place?.dataset.liveTag;
let pause = SOON_MS;
let timer = 0;

function isInHand(part) {
  const focused = document.activeElement;
  if (focused !== document.body && part.contains(focused)) return true;
  const selection = getSelection();
  const isSelected = selection && !selection.isCollapsed && part.contains(selection.anchorNode);
  return isSelected || Boolean(part.querySelector("textarea, [open], input:checked, .htmx-request"));
}

function show(html) {
  for (const figure of new DOMParser().parseFromString(html, "text/html").body.children) {
    document.getElementById(figure.id)?.replaceWith(figure);
  }
  for (const part of document.querySelectorAll("[data-live-part]")) {
    const note = document.querySelector("[data-live-note]");
    if (!isInHand(part)) part.dispatchEvent(new CustomEvent("nebo-new"));
    if (note) note.hidden = !isInHand(part);
  }
}

function wait() {
  const waits = document.querySelector("[data-live-soon]") && Date.now() - opened < SOON_FOR_MS;
  clearTimeout(timer);
  timer = setTimeout(ask, waits ? SOON_MS : pause);
}

async function ask() {
  if (document.hidden) return; // asked again when it is looked at
  pause = Math.min(pause * GROWS, LATE_MS);
  try {
    const headers = { "HX-Request": "true", "If-None-Match": tag };
    const answer = await fetch(place.dataset.live, { headers, redirect: "manual" });
    const isNew = answer.status === 200 && answer.headers.get("ETag");
    if (!isNew && answer.status !== 304 && answer.status < 500) return; // signed out, say: the next click tells
    if (isNew) {
      tag = answer.headers.get("ETag");
      pause = SOON_MS;
      show(await answer.text());
    }
  } catch {
    pause = LATE_MS; // not reached; the page stays as it is
  }
  wait();
}

if (place) {
  wait();
  document.addEventListener("visibilitychange", () => {
    pause = SOON_MS;
    if (document.hidden) clearTimeout(timer);
    else ask();
  });
}
