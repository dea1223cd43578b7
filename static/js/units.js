// Serves data-missing-link, the link of a unit to the world without it, which the key m follows, and
// addresses that end in #unit-E5 or #span-E5: they make that unit the current one of the data-spans root.

const root = () => document.querySelector("[data-spans]");

const follow = () => {
  const wanted = /^#(?:unit|span)-(\w+)$/.exec(location.hash)?.[1];
  const here = root();
  if (!wanted || here?.dataset.lit !== "on") return;
  here.dispatchEvent(new CustomEvent("spans:go", { bubbles: true, detail: wanted }));
};

document.addEventListener("spans:key", (event) => {
  if (event.detail !== "missing") return;
  const id = CSS.escape(event.target.dataset.current || "none");
  event.target.querySelector(`.unit[data-unit="${id}"] [data-missing-link]`)?.click();
});

window.addEventListener("hashchange", follow);
follow();
