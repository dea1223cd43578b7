// Serves data-review, the page of one distractor: words selected in a data-anchor-document fill the
// data-anchor-form in code points, and data-review-lock is renewed while its reader is active.
// Keys are pressed for it by keys.js, through data-key.

const RENEW_AFTER = 60_000;
const root = document.querySelector("[data-review]");
const form = root.querySelector("[data-anchor-form]");
const quote = form.querySelector("[data-anchor-quote]");

/** The length of a text as the server counts it: a browser counts UTF-16 units. */
const codePoints = (text) => [...text].length;

const setAnchor = (document_, start, end) => {
  form.elements.document.value = document_;
  form.elements.start.value = start;
  form.elements.end.value = end;
};

const takeSelection = () => {
  const selection = document.getSelection();
  if (!selection.rangeCount || selection.isCollapsed) return;
  const range = selection.getRangeAt(0);
  const text = range.startContainer.parentElement?.closest("[data-anchor-document]");
  if (!text?.contains(range.endContainer)) return;
  const before = document.createRange();
  before.setStart(text, 0);
  before.setEnd(range.startContainer, range.startOffset);
  const start = codePoints(before.toString());
  quote.value = range.toString();
  setAnchor(text.dataset.anchorDocument, start, start + codePoints(quote.value));
};

document.addEventListener("mouseup", takeSelection);
document.addEventListener("touchend", takeSelection);
document.addEventListener("keyup", (event) => {
  if (event.shiftKey || event.key === "Shift") takeSelection();
});
// Words that are typed are looked for by the server; the place that was selected no longer holds.
quote.addEventListener("input", () => setAnchor("", "", ""));

// "toggle" does not bubble: it is caught on its way down.
document.addEventListener(
  "toggle",
  (event) => {
    if (event.target.matches(".review__more") && event.target.open)
      event.target.querySelector("textarea").focus();
  },
  true,
);

document.addEventListener("keydown", (event) => {
  const box = event.target.closest(".review__more[open]");
  if (!box) return;
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    box.querySelector("form").requestSubmit();
  }
  if (event.key === "Escape") {
    box.open = false;
    box.querySelector("summary").focus();
  }
});

let renewed = Date.now();
const renew = () => {
  const lock = document.querySelector("[data-review-lock]");
  if (!lock || Date.now() - renewed < RENEW_AFTER) return;
  renewed = Date.now();
  htmx.trigger(lock, "renew");
};
for (const sign of ["keydown", "pointerdown", "scroll"])
  document.addEventListener(sign, renew, { passive: true });
