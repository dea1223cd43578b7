// Serves data-copy="#id": copies the exact text of that element, and says so on the button.
const SAID_FOR_MS = 2000;

const say = (button, word) => {
  button.dataset.copyLabel ??= button.textContent;
  button.textContent = word;
  setTimeout(() => {
    button.textContent = button.dataset.copyLabel;
  }, SAID_FOR_MS);
};

// Without clipboard access (no secure context) the text is selected, so that one key copies it.
const select = (source) => {
  const range = document.createRange();
  range.selectNodeContents(source);
  const selection = getSelection();
  selection.removeAllRanges();
  selection.addRange(range);
};

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const source = document.querySelector(button.dataset.copy);
  if (!source) return;
  try {
    await navigator.clipboard.writeText(source.textContent);
    say(button, "Copied");
  } catch {
    select(source);
    say(button, "Press Ctrl+C");
  }
});
