// Serves data-keys-dialog, the list of keys, and sends "spans:key" to the page's data-spans root.
// data-keys-enabled is a checkbox that turns single keys off for people whom they disturb (WCAG 2.1.4);
// data-keys-open is a button that opens the list. data-key is a key that presses its link or button.

const STORE = "enigmaforge-keys";
const KEYS = {
  j: "next",
  k: "previous",
  l: "light",
  m: "missing",
  Enter: "open",
  Escape: "back",
};
const EDITABLE = "input, textarea, select, [contenteditable]";
const OWN_ENTER = "a[href], button, summary, input";

const enabled = () => {
  try {
    return localStorage.getItem(STORE) !== "off";
  } catch {
    return true;
  }
};

const dialog = () => document.querySelector("[data-keys-dialog]");

const show = () => {
  const box = dialog();
  if (!box || box.open) return;
  for (const input of box.querySelectorAll("[data-keys-enabled]")) input.checked = enabled();
  box.showModal();
};

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-keys-open]")) show();
});

document.addEventListener("change", (event) => {
  if (!event.target.matches("[data-keys-enabled]")) return;
  try {
    localStorage.setItem(STORE, event.target.checked ? "on" : "off");
  } catch {
    // Storage is blocked: keys stay on.
  }
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (!enabled() || dialog()?.open || event.target.closest(EDITABLE)) return;
  if (event.key === "?") {
    show();
    return;
  }
  const own = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (own) {
    event.preventDefault();
    own.click();
    return;
  }
  const action = KEYS[event.key];
  const root = document.querySelector("[data-spans]");
  if (!action || !root) return;
  if (event.key === "Enter" && event.target.closest(OWN_ENTER)) return;
  event.preventDefault();
  root.dispatchEvent(new CustomEvent("spans:key", { bubbles: true, detail: action }));
});
