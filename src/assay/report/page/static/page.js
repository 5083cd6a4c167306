(() => {
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const root = document.documentElement;
const tip = document.getElementById("tip");
const darkly = matchMedia("(prefers-color-scheme: dark)");
const SVG = "http://www.w3.org/2000/svg";
const looks = () => root.dataset.theme || (darkly.matches ? "dark" : "light");

function element(name, text, parent) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (parent) parent.append(made);
  return made;
}

/* Tips: what a point says of itself, as text, whatever it holds. */
function showTip(point) {
  tip.replaceChildren();
  const list = element("dl", undefined, tip);
  for (const line of point.dataset.tip.split("\n")) {
    const at = line.indexOf(": ");
    element("dt", at < 0 ? "" : line.slice(0, at), list);
    element("dd", line.slice(at < 0 ? 0 : at + 2), list);
  }
  tip.hidden = false;
  const box = point.getBoundingClientRect();
  const room = root.clientWidth - tip.offsetWidth - 8;
  tip.style.left = `${Math.max(8, Math.min(box.right + 6, room)) + scrollX}px`;
  const below = box.bottom + 8 + tip.offsetHeight < innerHeight;
  tip.style.top = `${(below ? box.bottom + 6 : Math.max(8, box.top - tip.offsetHeight - 6)) + scrollY}px`;
}
const hideTip = () => { tip.hidden = true; };
for (const point of document.querySelectorAll(".pt")) {
  const title = point.querySelector("title");
  point.dataset.tip = title.textContent;
  title.remove();
}
addEventListener("pointerover", (event) => {
  const point = event.target.closest?.(".pt");
  if (point) showTip(point); else hideTip();
});
addEventListener("scroll", hideTip, { passive: true });

/* Points of a figure by arrow keys, from left to right. */
addEventListener("keydown", (event) => {
  const holder = event.target;
  if (event.key === "Escape") hideTip();
  if (!holder.classList?.contains("drawing") || !event.key.startsWith("Arrow")) return;
  const shown = [...holder.querySelectorAll("svg.fig")].find((each) => each.checkVisibility());
  const place = (each) => each.getBoundingClientRect();
  const all = [...shown.querySelectorAll(".pt")].sort((a, b) => place(a).left - place(b).left || place(a).top - place(b).top);
  if (!all.length) return;
  event.preventDefault();
  const step = event.key === "ArrowRight" || event.key === "ArrowDown" ? 1 : -1;
  const before = all.findIndex((each) => each.classList.contains("now"));
  const at = before < 0 ? (step > 0 ? 0 : all.length - 1) : Math.max(0, Math.min(all.length - 1, before + step));
  for (const each of holder.querySelectorAll(".now")) each.classList.remove("now");
  all[at].classList.add("now");
  showTip(all[at]);
});
addEventListener("focusout", (event) => {
  hideTip();
  for (const each of event.target.querySelectorAll?.(".now") ?? []) each.classList.remove("now");
});

/* What a figure tells apart by colour can be faded. */
for (const row of document.querySelectorAll(".toggles")) {
  row.hidden = false;
  const chosen = new Set();
  const buttons = [...row.querySelectorAll("button")];
  const parts = row.parentNode.querySelectorAll("[data-k]");
  row.addEventListener("click", (event) => {
    const series = event.target.dataset.series;
    if (series === undefined) return;
    if (series === "") chosen.clear(); else if (!chosen.delete(series)) chosen.add(series);
    for (const each of buttons) {
      const own = each.dataset.series;
      each.setAttribute("aria-pressed", String(own === "" ? !chosen.size : chosen.has(own)));
    }
    for (const each of parts) {
      each.classList.toggle("faded", Boolean(chosen.size) && each.dataset.k !== "" && !chosen.has(each.dataset.k));
    }
  });
}

/* The operating point. */
function shape(name, settings, parent) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(settings)) made.setAttribute(key, value);
  if (parent) parent.append(made);
  return made;
}
function operate(part) {
  const { choices } = data.operating[part.dataset.operating];
  const select = part.querySelector("select");
  const slider = part.querySelector("input");
  const holder = part.querySelector("[data-operating-figure]");
  const [wide, high, left, low] = [460, 260, 44, 40];
  const choice = () => choices[Number(select.value)];
  const point = () => choice().points[Number(slider.value)];
  const across = (value) => left + value * (wide - left - 24);
  let up = () => 0;
  let dot = null;
  const read = () => {
    const now = point();
    part.querySelector(".threshold").textContent = now.threshold;
    for (const place of part.querySelectorAll("[data-field]")) place.textContent = (place.dataset.field === "command" ? choice().command : "") + now[place.dataset.field];
    slider.setAttribute("aria-valuetext", `threshold ${now.threshold}, coverage ${now.coverage}`);
    if (dot) {
      dot[0].setAttribute("cx", across(now.at.coverage));
      dot[0].setAttribute("cy", up(now.at.risk));
      dot[1].setAttribute("x1", across(now.at.coverage));
      dot[1].setAttribute("x2", across(now.at.coverage));
    }
  };
  const paint = () => {
    const all = choice().points.map((each) => each.at);
    const top = Math.max(...all.map((each) => each.high ?? each.risk)) || 1;
    up = (value) => high - low - (value / top) * (high - low - 12);
    const svg = shape("svg", { viewBox: `0 0 ${wide} ${high}`, class: "fig", role: "img",
      "aria-label": "Risk against coverage, with the chosen operating point; the slider beside it says the same in numbers" });
    const banded = all.filter((each) => each.low !== null && each.high !== null);
    const joined = (points) => points.map(([x, y]) => `${across(x).toFixed(1)} ${up(y).toFixed(1)}`).join("L");
    if (banded.length) {
      const around = [...banded.map((each) => [each.coverage, each.high]), ...banded.reverse().map((each) => [each.coverage, each.low])];
      shape("path", { class: "band s0", d: `M${joined(around)}Z` }, svg);
    }
    shape("path", { class: "curve s0", d: `M${joined(all.map((each) => [each.coverage, each.risk]))}` }, svg);
    shape("line", { class: "axis", x1: left, x2: wide - 24, y1: high - low, y2: high - low }, svg);
    for (const each of [0, 0.25, 0.5, 0.75, 1]) {
      shape("text", { x: across(each), y: high - low + 16, "text-anchor": "middle" }, svg).textContent = `${each * 100}%`;
    }
    shape("text", { x: across(0.5), y: high - 6, "text-anchor": "middle" }, svg).textContent = "coverage";
    shape("text", { x: left - 6, y: up(top) + 10, "text-anchor": "end" }, svg).textContent = top.toPrecision(2);
    shape("text", { x: left - 6, y: high - low, "text-anchor": "end" }, svg).textContent = "0";
    dot = [
      shape("circle", { class: "dot s1", r: 6 }),
      shape("line", { class: "cut", y1: 8, y2: high - low }, svg),
    ];
    svg.append(dot[0]);
    svg.addEventListener("click", (event) => {
      const box = svg.getBoundingClientRect();
      const aimed = (((event.clientX - box.left) / box.width) * wide - left) / (wide - left - 24);
      const off = (each) => Math.abs(each.at.coverage - aimed);
      const every = choice().points;
      slider.value = String(every.reduce((best, each, at) => (off(each) < off(every[best]) ? at : best), 0));
      read();
    });
    holder.replaceChildren(svg);
  };
  const change = () => {
    slider.max = String(choice().points.length - 1);
    slider.value = String(choice().first);
    paint();
    read();
  };
  slider.addEventListener("input", read);
  select.addEventListener("change", change);
  change();
}
for (const each of document.querySelectorAll("[data-operating]")) operate(each);

/* Commands to copy. */
async function copied(button, text, holder) {
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    if (holder) getSelection().selectAllChildren(holder);
    button.textContent = holder ? "Selected" : "Not copied";
  }
  setTimeout(() => { button.textContent = label; }, 1500);
}
for (const button of document.querySelectorAll(".command .copy")) {
  button.hidden = false;
  button.addEventListener("click", () => {
    const code = button.parentNode.querySelector("code");
    copied(button, code.textContent, code);
  });
}

/* Take away: files that are made here, of what the page shows. */
function save(blob, name) {
  const link = element("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
/* A cell that a spreadsheet would take for a formula is kept from that. */
const NUMBER = /^[-+]?[\d.,]+(e[-+]?\d+)?$/i;
function cell(node) {
  const copy = node.cloneNode(true);
  for (const each of copy.querySelectorAll(".scale, svg, select, input, [hidden]")) each.remove();
  const text = [...copy.childNodes].map((each) => each.textContent).join(" ").replace(/\s+/g, " ").trim().replace(/\u2212/g, "-");
  const safe = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return `"${safe.replace(/"/g, '""')}"`;
}
function comma(table) {
  const rows = [...table.rows].map((row) => [...row.cells].filter((each) => !each.hidden).map(cell).join(","));
  return `\ufeff${rows.join("\r\n")}\r\n`;
}
const named = (text) => text.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "").slice(0, 60) || "table";
const called = (holder) => holder.getAttribute("aria-label") || holder.dataset.csv || "table";
for (const holder of document.querySelectorAll("[data-csv]")) {
  const button = element("button", "CSV");
  button.type = "button";
  button.setAttribute("aria-label", `CSV of ${called(holder)}`);
  const row = element("p");
  row.className = "links csv";
  row.append(button);
  holder.after(row);
}
addEventListener("click", (event) => {
  const holder = event.target.closest?.(".csv > button")?.parentNode.previousElementSibling;
  if (!holder) return;
  const table = holder.matches("table") ? holder : holder.querySelector("table");
  save(new Blob([comma(table)], { type: "text/csv" }), `${named(called(holder))}.csv`);
});
const PAINT = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "opacity",
  "fill-opacity", "font-size", "font-weight", "font-family", "paint-order", "text-anchor"];
function standalone(svg) {
  const copy = svg.cloneNode(true);
  const [own, made] = [[svg, ...svg.querySelectorAll("*")], [copy, ...copy.querySelectorAll("*")]];
  const unseen = [];
  own.forEach((each, at) => {
    const style = getComputedStyle(each);
    if (style.display === "none") return unseen.push(made[at]);
    for (const name of PAINT) {
      const value = style.getPropertyValue(name);
      if (value && value !== "none" || name === "fill") made[at].setAttribute(name, value);
    }
    made[at].removeAttribute("class");
    delete made[at].dataset.tip;
  });
  for (const each of unseen) each.remove();
  const box = svg.viewBox.baseVal;
  copy.setAttribute("xmlns", SVG);
  copy.setAttribute("width", box.width);
  copy.setAttribute("height", box.height);
  const ground = shape("rect", { width: box.width, height: box.height, fill: getComputedStyle(document.body).backgroundColor });
  copy.prepend(ground);
  return new XMLSerializer().serializeToString(copy);
}
for (const button of document.querySelectorAll("[data-take]")) {
  const figure = button.closest("figure");
  if (!figure.querySelector("svg.fig")) continue;
  button.hidden = false;
  const title = figure.querySelector("h2, h3, h4").textContent;
  button.setAttribute("aria-label", `${button.textContent} of ${title}`);
  button.addEventListener("click", async () => {
    const svg = [...figure.querySelectorAll("svg.fig")].find((each) => each.checkVisibility());
    const text = standalone(svg);
    if (button.dataset.take === "svg") return save(new Blob([text], { type: "image/svg+xml" }), `${named(title)}.svg`);
    const image = new Image();
    const bytes = new TextEncoder().encode(text);
    image.src = `data:image/svg+xml;base64,${btoa(Array.from(bytes, (each) => String.fromCharCode(each)).join(""))}`;
    await image.decode();
    const canvas = element("canvas");
    [canvas.width, canvas.height] = [image.width * 2, image.height * 2];
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => save(blob, `${named(title)}.png`));
  });
}
for (const button of document.querySelectorAll("[data-artifact]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const packed = Uint8Array.from(atob(document.getElementById(button.dataset.artifact).textContent), (each) => each.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    save(await new Response(stream).blob(), button.dataset.name);
  });
}

/* Cases: search and sort. */
for (const part of document.querySelectorAll("details.cases")) {
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
      const upward = head.getAttribute("aria-sort") !== "ascending";
      for (const each of heads) each.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", upward ? "ascending" : "descending");
      const numeric = head.classList.contains("number");
      const key = (row) => {
        const held = row.cells[column];
        if ("order" in held.dataset) return Number(held.dataset.order);
        return numeric ? null : held.textContent.toLowerCase();
      };
      /* Rows without a value come last, whichever way. */
      const sorted = rows.map((row) => [key(row), row]).sort(([a], [b]) => {
        if (a === null || b === null) return (a === null) - (b === null);
        const order = typeof a === "number" ? a - b : a < b ? -1 : a > b ? 1 : 0;
        return upward ? order : -order;
      });
      body.append(...sorted.map(([, row]) => row));
    });
  });
}

/* Where the reader is. */
const tabs = [...document.querySelectorAll(".tabs a")];
const parts = tabs.map((each) => document.getElementById(each.hash.slice(1)));
const here = () => {
  let at = 0;
  parts.forEach((part, place) => { if (part && part.getBoundingClientRect().top < 120) at = place; });
  tabs.forEach((each, place) => each.classList.toggle("here", place === at));
};
if (tabs.length) addEventListener("scroll", here, { passive: true });

/* Light and dark. */
const theme = document.getElementById("theme");
const label = () => { theme.textContent = looks() === "dark" ? "Light" : "Dark"; };
theme.hidden = false;
theme.addEventListener("click", () => {
  root.dataset.theme = looks() === "dark" ? "light" : "dark";
  label();
});
darkly.addEventListener("change", label);
label();

/* On paper tables are open; cases and further figures stay as the reader left them. */
let closed = [];
addEventListener("beforeprint", () => {
  closed = [...document.querySelectorAll("details:not([open]):not(.cases):not(.more-figures):not(.astable)")];
  for (const each of closed) each.open = true;
});
addEventListener("afterprint", () => {
  for (const each of closed) each.open = false;
});
root.dataset.ready = "yes";
})();
