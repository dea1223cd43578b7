// Serves data-spans, the root that holds a record and its evidence units: data-lit-toggle lights the
// clues (data-lit on the root), hover and focus link every [data-unit] of one id (data-linked), and
// clicking or stepping makes one unit data-current. Keys: see keys.js, which sends "spans:step" and so on.

const LINKED = "linked";
const CURRENT = "current";

const rootOf = (event) => event.target.closest?.("[data-spans]");
const isLit = (root) => root.dataset.lit === "on";
const unitIds = (element) => (element?.dataset.unit ?? "").split(" ").filter(Boolean);
const partsOf = (root, id) => root.querySelectorAll(`[data-unit~="${CSS.escape(id)}"]`);
const spanOf = (root, id) => root.querySelector(`.clue-span[data-unit~="${CSS.escape(id)}"]`);
const cardOf = (root, id) => root.querySelector(`.unit[data-unit="${CSS.escape(id)}"]`);

/** Unit ids in the order of the text; units without a span keep the order of their list, at the end. */
const reading = (root) => {
  const inText = [...root.querySelectorAll(".clue-span[data-unit]")].flatMap(unitIds);
  const inList = [...root.querySelectorAll(".unit[data-unit]")].flatMap(unitIds);
  return [...new Set([...inText, ...inList])];
};

const flag = (root, name, ids) => {
  for (const element of root.querySelectorAll(`[data-unit][data-${name}]`))
    delete element.dataset[name];
  for (const id of ids) for (const element of partsOf(root, id)) element.dataset[name] = "";
};

/** Scrolls the list of units, never the page, until the card can be seen. */
const revealCard = (card) => {
  const list = card?.closest("[data-units-scroll]");
  if (!list || list.scrollHeight <= list.clientHeight) return;
  const box = card.getBoundingClientRect();
  const frame = list.getBoundingClientRect();
  if (box.top < frame.top) list.scrollTop -= frame.top - box.top + 8;
  if (box.bottom > frame.bottom) list.scrollTop += box.bottom - frame.bottom + 8;
};

const setCurrent = (root, id) => {
  root.dataset.current = id ?? "";
  flag(root, CURRENT, id ? [id] : []);
  if (id) revealCard(cardOf(root, id));
};

/** Keeps the state in the address, so that a link to the page leads there; a question lights by itself. */
const remember = (on) => {
  const url = new URL(location.href);
  const asks = url.searchParams.has("why") || url.searchParams.has("without");
  if (on || asks) url.searchParams.set("lit", on ? "1" : "0");
  else url.searchParams.delete("lit");
  history.replaceState(history.state, "", url);
};

const setLit = (root, on) => {
  root.dataset.lit = on ? "on" : "off";
  const toggles = root.querySelectorAll("[data-lit-toggle]");
  for (const button of toggles) {
    button.setAttribute("aria-pressed", String(on));
    button.value = on ? "0" : "1";
  }
  if (toggles.length) remember(on);
  // Unlit spans are plain text for every reader; lit ones are stops of the Tab key.
  for (const span of root.querySelectorAll(".clue-span[data-label]")) {
    if (!on) {
      span.removeAttribute("tabindex");
      span.removeAttribute("aria-describedby");
      continue;
    }
    span.tabIndex = 0;
    span.setAttribute(
      "aria-describedby",
      unitIds(span)
        .map((id) => `says-${id}`)
        .join(" "),
    );
  }
  if (!on) {
    setCurrent(root, null);
    flag(root, LINKED, []);
  }
};

const goTo = (root, id) => {
  if (!isLit(root)) setLit(root, true);
  setCurrent(root, id);
  const target = spanOf(root, id) ?? cardOf(root, id);
  target?.scrollIntoView({ block: "center" });
  target?.focus({ preventScroll: true });
};

const step = (root, by) => {
  const order = reading(root);
  if (!order.length) return;
  const at = order.indexOf(root.dataset.current);
  goTo(
    root,
    order[at < 0 ? (by > 0 ? 0 : order.length - 1) : (at + by + order.length) % order.length],
  );
};

const open = (root) => {
  const card = cardOf(root, root.dataset.current || "none");
  if (!card) return;
  const details = card.querySelector("details");
  if (details) details.open = true;
  (card.querySelector("summary") ?? card.querySelector("a[href]") ?? card).focus();
};

const letGo = (root) => {
  if (root.dataset.current) setCurrent(root, null);
  else setLit(root, false);
};

const link = (event) => {
  const root = rootOf(event);
  if (root && isLit(root)) flag(root, LINKED, unitIds(event.target.closest("[data-unit]")));
};

document.addEventListener("mouseover", link);
document.addEventListener("focusin", link);
document.addEventListener("click", (event) => {
  const root = rootOf(event);
  if (!root) return;
  if (event.target.closest("[data-lit-toggle]")) {
    event.preventDefault();
    setLit(root, !isLit(root));
    return;
  }
  const part = event.target.closest("[data-unit]");
  if (!part || !isLit(root)) return;
  const [id] = unitIds(part);
  if (part.matches(".clue-span")) setCurrent(root, id);
  else if (!event.target.closest("summary, a:not([href^='#span-']), button, input")) {
    event.preventDefault();
    goTo(root, id);
  }
});

const ACTIONS = {
  next: (root) => step(root, 1),
  previous: (root) => step(root, -1),
  light: (root) => setLit(root, !isLit(root)),
  open,
  back: letGo,
};
document.addEventListener("spans:key", (event) => ACTIONS[event.detail]?.(event.target));
document.addEventListener("spans:go", (event) => goTo(event.target, event.detail));

for (const root of document.querySelectorAll("[data-spans]")) if (isLit(root)) setLit(root, true);
