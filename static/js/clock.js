// Serves data-clock (seconds worked, with data-runs while time counts) and the form data-attempt:
// ticks between two answers of the server, and tells it of a reader who scrolls and does not type.
const BEAT = 60_000;
let shown = null;
let since = 0;
let told = performance.now();

const tick = () => {
  const clock = document.querySelector("[data-clock]");
  if (!clock || !("runs" in clock.dataset)) return;
  if (clock !== shown) {
    shown = clock;
    since = performance.now();
  }
  const seconds = Number(clock.dataset.clock) + Math.floor((performance.now() - since) / 1000);
  clock.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
};

const alive = () => {
  if (performance.now() - told < BEAT) return;
  told = performance.now();
  document.querySelector("[data-attempt]")?.dispatchEvent(new Event("alive"));
};

for (const sign of ["scroll", "pointermove", "keydown", "focus"]) {
  window.addEventListener(sign, alive, { passive: true });
}
setInterval(tick, 1000);
