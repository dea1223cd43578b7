// Serves data-theme-toggle: cycles auto, light, dark. A plain script in <head>, so that the theme
// chosen before is on <html data-theme> when the first pixel is painted. data-theme-name shows it.
(() => {
  const KEY = "enigmaforge-theme";
  const THEMES = ["auto", "light", "dark"];
  const root = document.documentElement;

  const stored = () => {
    try {
      const theme = localStorage.getItem(KEY);
      return THEMES.includes(theme) ? theme : "auto";
    } catch {
      return "auto"; // Storage is blocked: the system's choice stands.
    }
  };

  const apply = (theme) => {
    if (theme === "auto") delete root.dataset.theme;
    else root.dataset.theme = theme;
    for (const name of document.querySelectorAll("[data-theme-name]")) name.textContent = theme;
  };

  apply(stored());
  document.addEventListener("DOMContentLoaded", () => apply(stored()));
  window.addEventListener("storage", (event) => event.key === KEY && apply(stored()));
  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-theme-toggle]")) return;
    const current = root.dataset.theme ?? "auto";
    const next = THEMES[(THEMES.indexOf(current) + 1) % THEMES.length];
    try {
      localStorage.setItem(KEY, next);
    } catch {
      // The choice lasts for this page only.
    }
    apply(next);
    document.dispatchEvent(new CustomEvent("themechange", { detail: next }));
  });
})();
