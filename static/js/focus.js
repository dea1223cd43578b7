// Serves no data- attribute but every part that htmx replaces: a reader who was inside it is there
// again afterwards, on the control with the same words if there is one, and otherwise on the part.
let place = null;

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const at = document.activeElement;
  const isInside = at !== document.body && detail.target?.contains(at);
  place = isInside ? { id: detail.target.id, tag: at.tagName, words: at.textContent } : null;
});

document.addEventListener("htmx:afterSwap", () => {
  const part = place && document.getElementById(place.id);
  const isLost = document.activeElement === document.body;
  if (part && isLost) {
    const alike = [...part.querySelectorAll(place.tag)].find((e) => e.textContent === place.words);
    if (!alike) part.tabIndex = -1;
    (alike ?? part).focus({ preventScroll: true });
  }
  place = null;
});
