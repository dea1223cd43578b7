// Serves data-drop-area around an <input type="file">: takes dropped files, lists names and sizes in
// data-drop-files, and warns in data-drop-warning above data-limit-bytes. The server checks again.
const UNITS = ["B", "KB", "MB", "GB"];

const size = (bytes) => {
  const power = Math.min(
    UNITS.length - 1,
    Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(1000)),
  );
  const value = bytes / 1000 ** power;
  return `${power === 0 ? value : value.toFixed(1)} ${UNITS[power]}`;
};

const row = (file, limit) => {
  const item = document.createElement("li");
  const name = document.createElement("bdi");
  const weight = document.createElement("span");
  name.textContent = file.name;
  weight.textContent = size(file.size);
  if (limit && file.size > limit) {
    item.dataset.overLimit = "";
    weight.textContent += `, over ${size(limit)}`;
  }
  item.append(name, weight);
  return item;
};

const show = (area) => {
  const files = [...area.querySelector("input[type=file]").files];
  const limit = Number(area.dataset.limitBytes) || 0;
  const over = limit ? files.filter((file) => file.size > limit) : [];
  area
    .querySelector("[data-drop-files]")
    ?.replaceChildren(...files.map((file) => row(file, limit)));
  const warning = area.querySelector("[data-drop-warning]");
  if (!warning) return;
  warning.hidden = over.length === 0;
  warning.textContent = over.length
    ? `${over.map((file) => file.name).join(", ")}: larger than the ${size(limit)} the server accepts. Choose a smaller file or compress it.`
    : "";
};

const areaOf = (event) => event.target.closest?.("[data-drop-area]");

document.addEventListener("change", (event) => {
  const area = areaOf(event);
  if (area && event.target.type === "file") show(area);
});
document.addEventListener("dragover", (event) => {
  const area = areaOf(event);
  if (!area) return;
  event.preventDefault();
  area.dataset.over = "";
});
document.addEventListener("dragleave", (event) => {
  const area = areaOf(event);
  if (area && !area.contains(event.relatedTarget)) delete area.dataset.over;
});
document.addEventListener("drop", (event) => {
  const area = areaOf(event);
  if (!area) return;
  event.preventDefault();
  delete area.dataset.over;
  const input = area.querySelector("input[type=file]");
  const chosen = new DataTransfer();
  for (const file of event.dataTransfer.files) {
    chosen.items.add(file);
    if (!input.multiple) break;
  }
  input.files = chosen.files;
  input.dispatchEvent(new Event("change", { bubbles: true }));
});

// The browser keeps the choice when the page is shown again.
for (const area of document.querySelectorAll("[data-drop-area]")) show(area);
