(() => {
"use strict";
/* The index of a folder: rows that match, the number that is drawn, two runs in the tray. */
const rows = [...document.querySelectorAll("tr.run")];
const words = rows.map((row) => row.textContent.toLowerCase());
for (const bar of document.querySelectorAll(".indexfilter")) {
  bar.hidden = false;
  const field = bar.querySelector("input");
  const selects = [...bar.querySelectorAll("select")];
  const count = () => {
    const wanted = field.value.toLowerCase();
    rows.forEach((row, at) => {
      const fits = selects.every((each) => !each.value || row.dataset[each.dataset.filter] === each.value);
      row.hidden = !fits || !words[at].includes(wanted);
    });
    for (const each of document.querySelectorAll(".listing")) each.hidden = !each.querySelector("tr.run:not([hidden])");
    bar.querySelector(".found").textContent = `${rows.filter((row) => !row.hidden).length.toLocaleString("en")} of ${rows.length.toLocaleString("en")} rows`;
  };
  bar.addEventListener("input", count);
  count();
}
for (const listing of document.querySelectorAll(".listing")) {
  const select = listing.querySelector("[data-numbers]");
  if (!select) continue;
  listing.querySelector(".numberpick").hidden = false;
  select.addEventListener("change", () => {
    for (const each of listing.querySelectorAll("[data-number]")) each.hidden = each.dataset.number !== select.value;
  });
}
const tray = document.querySelector(".tray");
if (tray && rows.length > 1) {
  tray.hidden = false;
  const chosen = [];
  const show = (selector, wanted) => { tray.querySelector(selector).hidden = !wanted; };
  const pairing = (one, other) => document.querySelector(`[data-pair="${Number(one.dataset.row)}~${Number(other.dataset.row)}"]`);
  const read = () => {
    for (const row of rows) {
      const own = chosen.includes(row);
      row.classList.toggle("chosen", own);
      row.querySelector("input").checked = own;
    }
    for (const selector of [".verdict", ".unpaired", ".unlike", ".command"]) show(selector, false);
    show(".traynote", chosen.length < 2);
    if (chosen.length < 2) return;
    /* The older run first; rows are listed with the newest first. */
    let [left, right] = [...chosen].sort((a, b) => Number(b.dataset.row) - Number(a.dataset.row));
    let found = pairing(left, right);
    if (!found && pairing(right, left)) [found, left, right] = [pairing(right, left), right, left];
    const name = (row) => row.querySelector("th").textContent.trim();
    for (const each of tray.querySelectorAll(".who")) each.textContent = `${name(left)} \u2192 ${name(right)}`;
    const alike = left.dataset.family === right.dataset.family && left.dataset.population === right.dataset.population;
    if (found) tray.querySelector(".what").replaceChildren(...[...found.cloneNode(true).childNodes]);
    show(".verdict", found);
    show(".unpaired", !found && alike);
    show(".unlike", !found && !alike);
    show(".command", !found && alike);
    tray.querySelector(".command code").textContent =
      `assay ${left.dataset.family} ${left.dataset.given} ${right.dataset.given} ${right.dataset.options}`.trim();
  };
  for (const row of rows) {
    const box = row.querySelector("input");
    box.hidden = false;
    box.addEventListener("change", () => {
      const at = chosen.indexOf(row);
      if (at >= 0) chosen.splice(at, 1);
      if (box.checked) chosen.push(row);
      if (chosen.length > 2) chosen.shift();
      read();
    });
  }
  read();
}
})();
