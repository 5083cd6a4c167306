(() => {
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const root = document.documentElement;
const tip = document.getElementById("tip");
const darkly = matchMedia("(prefers-color-scheme: dark)");
const views = new Map();
let serial = 0;

const looks = () => root.dataset.theme || (darkly.matches ? "dark" : "light");

function element(name, text, parent) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (parent) parent.append(made);
  return made;
}

/* Tooltips: text only, whatever it holds. */
function showTip(value, x, y) {
  tip.replaceChildren();
  const list = element("dl", undefined, tip);
  for (const [name, text] of Object.entries(value)) {
    if (text === null || text === undefined || text === "" || text === "null") continue;
    element("dt", name, list);
    element("dd", String(text), list);
  }
  tip.hidden = false;
  const room = root.clientWidth - tip.offsetWidth - 8;
  tip.style.left = `${Math.max(8, Math.min(x + 14, room)) + scrollX}px`;
  const below = y + 16 + tip.offsetHeight < innerHeight;
  tip.style.top = `${(below ? y + 16 : Math.max(8, y - tip.offsetHeight - 10)) + scrollY}px`;
}
const hideTip = () => { tip.hidden = true; };

function tooltip(handler, event, item, value) {
  if (value === null || value === undefined || value === "") return hideTip();
  /* The nearest point is found by cells around points; the point knows its own words. */
  const told = item?.datum?.tooltip ?? value;
  showTip(typeof told === "object" ? told : { "": told }, event.clientX, event.clientY);
}

/* Vega-Lite warns that a figure as high as its rows is not fitted in height, which is meant. */
const warn = console.warn.bind(console);
console.warn = (...words) => {
  if (!words.join(" ").includes("because spec has discrete height")) warn(...words);
};

/* Figures: drawn when they come near, again when the width or the theme changes. */
function fitted(spec, width) {
  const copy = structuredClone(spec);
  const joined = ["hconcat", "vconcat", "concat", "facet", "repeat"].some((name) => name in copy);
  if (typeof copy.width === "number" && !joined) {
    if (typeof copy.height === "number") {
      copy.height = Math.min(copy.height, Math.max(220, Math.round(width * 0.72)));
    }
    copy.width = width;
    copy.autosize = { type: "fit-x", contains: "padding" };
  }
  narrowed(copy, width);
  return copy;
}

/* Legends must fit: columns that a specification asks for are for a wide screen. */
const columns = (width) => (width < 420 ? 2 : width < 620 ? 3 : 4);
function narrowed(node, width) {
  if (!node || typeof node !== "object") return;
  for (const [name, inner] of Object.entries(node)) {
    if (name === "values" || name === "datasets") continue;
    if (name === "legend" && inner) {
      if (width < 620) { inner.columns = columns(width); inner.labelLimit = width / columns(width) - 30; }
    } else narrowed(inner, width);
  }
}

function settings(width) {
  const config = structuredClone(data.looks[looks()]);
  config.background = "transparent";
  config.aria = false; /* the figure as a whole has its words */
  if (width < 620) {
    config.legend.columns = columns(width);
    config.legend.labelLimit = width / columns(width) - 30;
    config.axis.labelLimit = Math.round(width * 0.3);
  }
  return {
    ast: true, renderer: "svg", actions: false, defaultStyle: false, config, tooltip, logLevel: 1,
  };
}

async function embed(holder, spec) {
  const width = Math.floor(holder.clientWidth);
  if (!width) return null;
  const turn = String(++serial);
  holder.dataset.turn = turn;
  const live = element("div");
  live.className = "live";
  const shown = await vegaEmbed(live, fitted(spec, width), settings(width));
  if (holder.dataset.turn !== turn) { shown.finalize(); return null; }
  const before = views.get(holder);
  if (before) { before.finalize(); holder.querySelector(".live").remove(); }
  views.set(holder, shown);
  holder.prepend(live);
  holder.classList.add("drawn");
  holder.dataset.width = String(width);
  holder.dataset.look = looks();
  return shown;
}

async function draw(holder) {
  const shown = await embed(holder, data.figures[holder.dataset.figure]);
  if (!shown) return;
  const still = holder.querySelector(".still");
  holder.setAttribute("role", "img");
  holder.setAttribute("aria-label", still.alt);
  holder.tabIndex = 0;
  legend(holder, shown.view);
}

/* The legend once more as buttons, for those who use the keyboard. */
function legend(holder, view) {
  const old = holder.parentNode.querySelector(".toggles");
  if (old) old.remove();
  let fields, names, labels;
  try {
    labels = view.signal("labels");
    fields = view.signal("toggle_tuple_fields");
    names = view.scale("color").domain();
    view.data("toggle_store");
  } catch { return; }
  const present = new Set();
  const collect = (node) => {
    if (Array.isArray(node)) node.forEach(collect);
    else if (node && typeof node === "object") {
      if (fields?.length && node[fields[0].field] !== undefined) present.add(node[fields[0].field]);
      Object.values(node).forEach((each) => { if (typeof each === "object") collect(each); });
    }
  };
  collect(data.figures[holder.dataset.figure]);
  names = names.filter((name) => present.has(name));
  if (!fields || names.length < 2) return;
  const row = element("div", "Show ");
  row.className = "toggles";
  const chosen = new Set();
  const buttons = new Map();
  const change = (name) => {
    if (name === null) chosen.clear();
    else if (!chosen.delete(name)) chosen.add(name);
    view.data("toggle_store", [...chosen].map((each) => ({ unit: "", fields, values: [each] }))).run();
    for (const [each, button] of buttons) {
      button.setAttribute("aria-pressed", String(each === null ? !chosen.size : chosen.has(each)));
    }
  };
  for (const name of [null, ...names]) {
    const button = element("button", name === null ? "all" : String(labels[name]), row);
    button.type = "button";
    button.setAttribute("aria-pressed", String(name === null));
    button.addEventListener("click", () => change(name));
    buttons.set(name, button);
  }
  holder.after(row);
}

/* Points by arrow keys, in the order of their places. */
function points(view) {
  const found = [];
  const walk = (node, x, y) => {
    for (const item of node.items || []) {
      const inner = item.items !== undefined || item.mark?.marktype === "group";
      const value = item.tooltip;
      if (value && typeof value === "object" && !item.datum?.tooltip) {
        found.push({ value, x: x + (item.bounds.x1 + item.bounds.x2) / 2, y: y + (item.bounds.y1 + item.bounds.y2) / 2 });
      }
      if (inner) walk(item, x + (item.x || 0), y + (item.y || 0));
    }
  };
  walk(view.scenegraph().root, 0, 0);
  return found.sort((a, b) => a.x - b.x || a.y - b.y);
}

addEventListener("keydown", (event) => {
  const holder = event.target.closest?.(".drawing.drawn");
  if (event.key === "Escape") hideTip();
  if (!holder || event.target !== holder || !event.key.startsWith("Arrow")) return;
  const { view } = views.get(holder);
  const all = points(view);
  if (!all.length) return;
  event.preventDefault();
  const step = event.key === "ArrowRight" || event.key === "ArrowDown" ? 1 : -1;
  const before = Number(holder.dataset.point ?? (step > 0 ? -1 : all.length));
  const place = Math.max(0, Math.min(all.length - 1, before + step));
  holder.dataset.point = String(place);
  const box = holder.querySelector("svg").getBoundingClientRect();
  const [left, top] = view.origin();
  showTip(all[place].value, box.left + left + all[place].x, box.top + top + all[place].y);
});
addEventListener("focusout", hideTip);
addEventListener("scroll", hideTip, { passive: true });

const nearby = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (isIntersecting && stale(target)) draw(target);
  }
}, { rootMargin: "300px" });
const stale = (holder) =>
  holder.dataset.look !== looks() || Math.abs(Number(holder.dataset.width) - holder.clientWidth) > 12;
const holders = [...document.querySelectorAll("[data-figure]")];
for (const holder of holders) nearby.observe(holder);

function redraw() {
  for (const holder of holders) {
    if (holder.classList.contains("drawn") && stale(holder)) {
      nearby.unobserve(holder);
      nearby.observe(holder);
    }
  }
  for (const panel of panels) panel();
}
let waiting = 0;
addEventListener("resize", () => { clearTimeout(waiting); waiting = setTimeout(redraw, 150); });

/* The operating point. */
function operate(part) {
  const { choices } = data.operating[part.dataset.operating];
  const select = part.querySelector("select");
  const slider = part.querySelector("input");
  const holder = part.querySelector("[data-operating-figure]");
  let shown = null;
  const choice = () => choices[Number(select.value)];
  const point = () => choice().points[Number(slider.value)];
  const read = () => {
    const now = point();
    part.querySelector(".threshold").textContent = now.threshold;
    for (const place of part.querySelectorAll("[data-field]")) {
      place.textContent = now[place.dataset.field];
    }
    slider.setAttribute("aria-valuetext", `threshold ${now.threshold}, coverage ${now.coverage}`);
    if (shown) shown.view.data("chosen", [now.at]).run();
  };
  const change = () => {
    slider.max = String(choice().points.length - 1);
    slider.value = String(choice().first);
    if (shown) shown.view.data("curve", choice().points.map((each) => each.at));
    read();
  };
  const paint = async () => {
    if (shown && !stale(holder)) return;
    const spec = structuredClone(data.operatingFigure);
    spec.datasets = { curve: choice().points.map((each) => each.at), chosen: [point().at] };
    const made = await embed(holder, spec);
    if (!made) return;
    shown = made;
    shown.view.addEventListener("click", (event) => {
      const [left] = shown.view.origin();
      const box = holder.querySelector("svg").getBoundingClientRect();
      const aimed = shown.view.scale("x").invert(event.clientX - box.left - left);
      const off = (each) => Math.abs(each.at.coverage - aimed);
      const all = choice().points;
      slider.value = String(all.reduce((best, each, at) => (off(each) < off(all[best]) ? at : best), 0));
      read();
    });
  };
  slider.addEventListener("input", read);
  select.addEventListener("change", change);
  holder.setAttribute("role", "img");
  holder.setAttribute("aria-label", "Risk against coverage, with the chosen operating point; the slider beside it says the same in numbers");
  new IntersectionObserver((entries) => {
    if (entries.some((entry) => entry.isIntersecting)) paint();
  }, { rootMargin: "300px" }).observe(holder);
  change();
  return paint;
}
const panels = [...document.querySelectorAll("[data-operating]")].map(operate);

/* Commands to copy. */
for (const button of document.querySelectorAll(".copy")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const code = button.parentNode.querySelector("code");
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(code);
      button.textContent = "Selected";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
}

/* Cases: search and sort. */
for (const part of document.querySelectorAll(".cases")) {
  const body = part.querySelector("tbody");
  const rows = [...body.rows];
  const words = rows.map((row) => row.textContent.toLowerCase());
  const field = part.querySelector("input");
  const found = part.querySelector(".found");
  part.querySelector(".search").hidden = false;
  field.addEventListener("input", () => {
    const wanted = field.value.toLowerCase();
    let number = 0;
    rows.forEach((row, at) => {
      row.hidden = !words[at].includes(wanted);
      number += row.hidden ? 0 : 1;
    });
    found.textContent = wanted ? `${number} of ${rows.length} rows` : "";
  });
  const heads = [...part.querySelectorAll("thead th")];
  heads.forEach((head, column) => {
    const button = element("button", head.textContent);
    button.type = "button";
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      for (const each of heads) each.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const numeric = head.classList.contains("number");
      const key = (row) => {
        const cell = row.cells[column];
        if ("order" in cell.dataset) return Number(cell.dataset.order);
        return numeric ? null : cell.textContent.toLowerCase();
      };
      /* Rows without a value come last, whichever way. */
      const sorted = rows.map((row) => [key(row), row]).sort(([a], [b]) => {
        if (a === null || b === null) return (a === null) - (b === null);
        const order = typeof a === "number" ? a - b : a < b ? -1 : a > b ? 1 : 0;
        return up ? order : -order;
      });
      body.append(...sorted.map(([, row]) => row));
    });
  });
}

/* Light and dark. */
const theme = document.getElementById("theme");
const label = () => { theme.textContent = looks() === "dark" ? "Light" : "Dark"; };
theme.hidden = false;
theme.addEventListener("click", () => {
  root.dataset.theme = looks() === "dark" ? "light" : "dark";
  label();
  redraw();
});
darkly.addEventListener("change", () => { label(); redraw(); });
label();

/* On paper tables are open; cases and further figures stay as the reader left them. */
let closed = [];
addEventListener("beforeprint", () => {
  closed = [...document.querySelectorAll("details:not([open]):not(.cases):not(.more-figures)")];
  for (const each of closed) each.open = true;
});
addEventListener("afterprint", () => {
  for (const each of closed) each.open = false;
});
root.dataset.ready = "yes";
})();
