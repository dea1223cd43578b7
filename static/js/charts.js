// Serves data-chart: draws the figure whose JSON lies in the element that data-chart names, when it
// comes into view, in the colours of the theme. data-chart-save on a button downloads the picture.
// The plotting script is large, so it is fetched with the first figure; data-plotly names it.
const NARROW = 640;
const PAPER = 680; // what a sheet has room for
const WIDE = { width: 1200, height: { small: 560, medium: 720, large: 900, tall: 1500 } };
const CONFIG = { displayModeBar: false, responsive: true, doubleClick: false, showTips: false };
const TOKEN = /^--[a-z0-9-]+$/;

const specs = new WeakMap();
const drawn = new Set();
let loading = null;
let isPrinting = false;

const spec = (chart) => {
  if (!specs.has(chart)) {
    specs.set(chart, JSON.parse(document.getElementById(chart.dataset.chart).textContent));
  }
  return specs.get(chart);
};

const load = (address) => {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = address;
    script.onload = resolve;
    script.onerror = () => {
      loading = null;
      reject(new Error("The drawing script could not be loaded."));
    };
    document.head.append(script);
  });
  return loading;
};

// The value of a token under the theme of now: what the browser computes for it, not what is written.
const paint = (() => {
  const probe = document.createElement("span");
  probe.hidden = true;
  return (name) => {
    if (!probe.isConnected) document.body.append(probe);
    if (name.startsWith("--font")) return getComputedStyle(probe).getPropertyValue(name).trim();
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
})();

const painted = (value) => {
  if (typeof value === "string") return TOKEN.test(value) ? paint(value) : value;
  if (Array.isArray(value)) return value.map(painted);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, painted(part)]));
};

const draw = async (chart) => {
  const figure = spec(chart);
  const isNarrow = !isPrinting && chart.clientWidth < NARROW;
  const layout = { ...figure.layout, ...(isNarrow ? figure.narrow : {}) };
  if (isPrinting) layout.width = PAPER;
  try {
    await load(chart.dataset.plotly);
    chart.querySelector("[data-chart-wait]")?.remove();
    await window.Plotly.react(chart, painted(figure.data), painted(layout), CONFIG);
    chart.dataset.drawn = isNarrow ? "narrow" : "wide";
    drawn.add(chart);
  } catch (error) {
    const wait = chart.querySelector("[data-chart-wait]");
    if (wait) wait.textContent = `${error.message} The table has the same numbers.`;
  }
};

const redraw = () => drawn.forEach(draw);

// The picture for a paper: always wide, with its legend and its title, whatever the screen shows.
const save = async (button) => {
  const chart = document.getElementById(button.dataset.chartSave);
  const figure = spec(chart);
  const title = { text: chart.dataset.title, x: 0.01, xanchor: "left", yref: "container", y: 0.97 };
  const margin = { ...figure.layout.margin, l: 24, r: 32, t: 96, b: 40 };
  const layout = { ...figure.layout, title, margin };
  await load(chart.dataset.plotly);
  await window.Plotly.downloadImage(
    { data: painted(figure.data), layout: painted(layout), config: CONFIG },
    {
      format: button.dataset.format,
      filename: chart.dataset.file,
      width: WIDE.width,
      height: WIDE.height[chart.dataset.size],
      scale: button.dataset.format === "png" ? 2 : 1,
    },
  );
};

const seen = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      seen.unobserve(target);
      draw(target);
    }
  },
  { rootMargin: "300px" },
);
for (const chart of document.querySelectorAll("[data-chart]")) seen.observe(chart);

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-chart-save]");
  if (!button) return;
  save(button).catch(() => {
    button.textContent = `${button.dataset.format.toUpperCase()}: not saved, try again`;
  });
});
document.addEventListener("themechange", redraw);
window.addEventListener("storage", redraw);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
// Paper is light and has its own width, whatever the screen is.
let screenTheme;
window.addEventListener("beforeprint", () => {
  isPrinting = true;
  screenTheme = document.documentElement.dataset.theme;
  document.documentElement.dataset.theme = "light";
  redraw();
});
window.addEventListener("afterprint", () => {
  isPrinting = false;
  if (screenTheme) document.documentElement.dataset.theme = screenTheme;
  else delete document.documentElement.dataset.theme;
  redraw();
});
// Plotly fits a figure to its box by itself; only the step between narrow and wide is ours.
window.addEventListener("resize", () => {
  for (const chart of drawn) {
    if ((chart.clientWidth < NARROW) !== (chart.dataset.drawn === "narrow")) draw(chart);
  }
});
