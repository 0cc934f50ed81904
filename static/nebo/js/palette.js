// The command palette: what the navigation and the menus of this page link to, and a search of memories, by keyboard.
const palette = document.getElementById("palette");

if (palette) {
  const field = palette.querySelector("input");
  const list = palette.querySelector("[role=listbox]");
  const none = palette.querySelector("[role=status]");
  const apple = /Mac|iPhone|iPad/.test(navigator.platform); // there Ctrl+K deletes to the end of a line
  if (apple) for (const key of document.querySelectorAll("[data-open-palette] kbd, [data-palette-key]")) key.textContent = "⌘K";
  let places = [];
  let before = null; // what had the focus

  const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const tidy = (text) => text.replace(/\s+/g, " ").trim();

  // A link says its name in its own words; counts and small print beside them are no part of it.
  function nameOf(link) {
    const label = link.querySelector(".menu-label > span");
    const own = [...link.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);
    return tidy(label ? label.textContent : own.map((node) => node.data).join(" "));
  }

  // The heading it stands under in its menu; behind a line that has none, it stands under none.
  function groupOf(link) {
    const begins = [...(link.closest(".menu-panel")?.querySelectorAll(".menu-title, hr") ?? [])];
    const above = (one) => one.compareDocumentPosition(link) & Node.DOCUMENT_POSITION_FOLLOWING;
    return tidy(begins.filter(above).at(-1)?.textContent ?? "");
  }

  function gather() {
    const found = new Map();
    for (const link of document.querySelectorAll(".shell-nav a[href], .shell-who a[href]")) {
      const place = { href: link.href, name: nameOf(link), group: groupOf(link), icon: link.querySelector(".icon") };
      if (!found.has(place.href)) found.set(place.href, place);
    }
    return [...found.values()];
  }

  function matching(query) {
    const words = plain(query).split(" ");
    const fits = (place) => words.every((word) => plain(`${place.name} ${place.group}`).includes(word));
    const begins = (place) => plain(place.name).startsWith(plain(query));
    const found = places.filter(fits);
    return [...found.filter(begins), ...found.filter((place) => !begins(place))];
  }

  function searching(query) {
    if (!query || !palette.dataset.memories) return [];
    const href = `${palette.dataset.memories}?${new URLSearchParams({ q: query })}`;
    return [{ href, name: palette.dataset.ask.replace("…", () => query), group: "", icon: palette.querySelector(".icon") }];
  }

  function option(place, number) {
    const item = Object.assign(document.createElement("li"), { id: `palette-${number}`, role: "option" });
    item.dataset.href = place.href;
    const name = Object.assign(document.createElement("span"), { textContent: place.name });
    const group = Object.assign(document.createElement("small"), { textContent: place.group });
    item.append(...(place.icon ? [place.icon.cloneNode(true)] : []), name, ...(place.group ? [group] : []));
    return item;
  }

  function choose(item) {
    for (const one of list.children) one.setAttribute("aria-selected", String(one === item));
    if (item) field.setAttribute("aria-activedescendant", item.id);
    else field.removeAttribute("aria-activedescendant");
    item?.scrollIntoView({ block: "nearest" });
  }

  function show() {
    const query = tidy(field.value);
    list.replaceChildren(...[...matching(query), ...searching(query)].map(option));
    const some = list.children.length > 0;
    list.hidden = !some;
    field.setAttribute("aria-expanded", String(some));
    none.textContent = some ? "" : none.dataset.none;
    choose(list.firstElementChild);
  }

  function open() {
    before = document.activeElement;
    places = gather();
    field.value = "";
    palette.showModal();
    show();
  }

  function step(by) {
    const all = [...list.children];
    const here = all.findIndex((item) => item.getAttribute("aria-selected") === "true");
    choose(all.at((here + by) % all.length));
  }

  function go(item) {
    if (!item) return;
    palette.close();
    location.assign(item.dataset.href);
  }

  document.addEventListener("keydown", (event) => {
    const chord = (apple ? event.metaKey : event.ctrlKey) && !event.altKey && !event.shiftKey;
    if (!chord || event.key.toLowerCase() !== "k") return;
    event.preventDefault(); // some browsers go to their own search field
    if (palette.open) palette.close();
    else open();
  });

  field.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    const keys = {
      ArrowDown: () => step(1),
      ArrowUp: () => step(-1),
      Enter: () => go(list.querySelector("[aria-selected=true]")),
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });

  field.addEventListener("input", show);
  list.addEventListener("pointerdown", (event) => event.preventDefault()); // the field keeps the focus
  list.addEventListener("click", (event) => go(event.target.closest("[role=option]")));

  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-open-palette]")) open();
    else if (event.target === palette || event.target.closest("[data-close-palette]")) palette.close();
  });

  // The browser gives the focus back, but not into a menu that has closed meanwhile: then its summary has it.
  palette.addEventListener("close", () => {
    before?.closest("details:not([open])")?.querySelector("summary").focus();
  });
}
