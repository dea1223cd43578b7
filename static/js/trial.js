// Serves data-trial, the root that holds surfaces side by side: data-lit-toggle lights the clues in all
// of them (data-lit on the root); hover on a [data-unit] marks that unit wherever its world
// ([data-world]) is told (data-linked).

const rootOf = (event) => event.target.closest?.("[data-trial]");

/** Keeps the state in the address, so that a link to the lit page leads there. */
const remember = (on) => {
  const url = new URL(location.href);
  if (on) url.searchParams.set("lit", "1");
  else url.searchParams.delete("lit");
  history.replaceState(history.state, "", url);
};

const setLit = (root, on) => {
  root.dataset.lit = on ? "on" : "off";
  for (const button of root.querySelectorAll("[data-lit-toggle]")) {
    button.setAttribute("aria-pressed", String(on));
    button.value = on ? "0" : "1";
  }
  remember(on);
};

const link = (root, part) => {
  for (const element of root.querySelectorAll("[data-linked]")) delete element.dataset.linked;
  const world = part?.closest("[data-world]")?.dataset.world;
  if (!world) return;
  for (const unit of part.dataset.unit.split(" "))
    for (const element of root.querySelectorAll(
      `[data-world="${CSS.escape(world)}"] [data-unit~="${CSS.escape(unit)}"]`,
    ))
      element.dataset.linked = "";
};

document.addEventListener("click", (event) => {
  const root = rootOf(event);
  if (!root || !event.target.closest("[data-lit-toggle]")) return;
  event.preventDefault();
  setLit(root, root.dataset.lit !== "on");
});

document.addEventListener("mouseover", (event) => {
  const root = rootOf(event);
  if (root?.dataset.lit === "on") link(root, event.target.closest("[data-unit]"));
});
