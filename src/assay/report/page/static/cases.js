/* Cases: filters that stand in the address, a list, and the case that was chosen. Nothing here is
   computed: cases are shown or hidden. The address is untrusted: it selects known values, and what
   it holds is only ever written as text. */
(() => {
"use strict";
const wide = matchMedia("(min-width: 900px)");
const MOST = 40;
const SIGNS = { right: "r", wrong: "w", abstained: "a", failed: "f" };
const made = (name, text, parent) => {
  const node = document.createElement(name);
  if (text !== undefined) node.textContent = text;
  if (parent) parent.append(node);
  return node;
};

/* Without a script, links to filtered cases lead to the list of all. */
for (const each of document.querySelectorAll("a[data-asks]")) {
  if (document.getElementById(each.hash.slice(1))?.matches(".master")) each.hash = each.dataset.asks;
}

class Explorer {
  constructor(part) {
    this.part = part;
    this.name = `${part.dataset.explorer}cases`;
    this.section = part.closest("section");
    this.bar = part.querySelector(".casebar");
    this.pane = part.querySelector(".casepane");
    this.changes = [...part.querySelectorAll("[data-counts]")].map((node) => ({
      section: node.matches(".change") ? node : null,
      row: node,
      pair: node.dataset.pair,
      left: Number(node.dataset.left),
      right: Number(node.dataset.right),
      counts: node.dataset.counts.split(" ").map(Number),
    }));
    this.words = [...part.querySelectorAll("[name=answer] option")].slice(1).map((each) => [each.value, each.textContent]);
    this.cases = [...part.querySelectorAll("details.case")].map((node) => ({
      node,
      row: node.querySelector("summary"),
      body: node.querySelector(".casebody"),
      id: node.dataset.id,
      signs: node.dataset.s,
      given: node.dataset.given.split("\n"),
      sure: node.dataset.sure.split(" "),
      words: node.textContent.toLowerCase(),
    }));
    /* Cases that are not open need not be there: a page of thousands of elements is slow. */
    for (const each of this.cases) each.body.remove();
    this.selects = [...this.bar.querySelectorAll("select")];
    this.search = this.bar.querySelector("input");
    this.sides = this.selects.find((each) => each.name === "system");
    this.shape = this.cases[0]?.signs.length ?? 0;
    this.open = null;
    this.most = MOST;
    this.state = {};
    this.typing = false;
    part.classList.add("live");
    this.bar.hidden = false;
    this.listen();
  }

  /* What the address says, value by value: only what the filters know. */
  read() {
    const [place, query = ""] = location.hash.slice(1).split(/\?(.*)/s);
    if (place !== this.name || !location.hash.includes("?")) return null;
    const state = {};
    const unknown = [];
    let asked = [];
    try {
      asked = [...new URLSearchParams(query)];
    } catch {
      unknown.push("the address");
    }
    for (const [key, value] of asked) {
      if (!value) continue;
      if (this.knows(key, value, asked)) state[key] = value;
      else unknown.push(`${key.slice(0, 20)} “${value.slice(0, 60)}”`);
    }
    this.unknown = unknown;
    return state;
  }

  knows(key, value, asked) {
    if (key === "q") return value.length <= 500;
    if (key === "case") return this.cases.some((each) => each.id === value);
    if (key === "given") return this.cases.some((each) => each.given.includes(value));
    if (key === "cluster") return this.cases.some((each) => each.node.dataset.cluster === value);
    if (key === "from" || key === "to") return Number.isFinite(Number(value)) && value.trim() !== "";
    if (key === "change") return this.choices(this.pairOf(new Map(asked).get("pair"))).some(([each]) => each === value);
    const lists = this.selects.filter((each) => each.name === key);
    return lists.some((each) => [...each.options].some((option) => option.value === value && value));
  }

  pairOf(value) {
    return this.changes.find((each) => each.pair === value) ?? this.changes[0];
  }

  change() {
    return this.pairOf(this.state.pair);
  }

  /* Changes that occur in a pair: value, words, how many; all of them prepared. */
  choices(pair) {
    if (!pair) return [];
    const found = [];
    this.words.forEach(([before, one], at) => this.words.forEach(([after, other], to) => {
      found.push([`${before}-${after}`, `${one} → ${other}`, pair.counts[at * 5 + to]]);
    }));
    for (const [place, at] of [[25, 2], [26, 3]]) found.push([this.words[at][0], `newly ${this.words[at][1]}`, pair.counts[place]]);
    return found.filter(([, , n]) => n > 0);
  }

  /* The tables of a pair that the page has no room for are put together when it is chosen. */
  lay(pair) {
    const first = this.changes[0].section;
    const node = first.cloneNode(true);
    const { from, to, line } = pair.row.dataset;
    const { counts } = pair;
    const address = (change) => `#${this.address({ pair: pair.pair, change })}`;
    Object.assign(node.dataset, { pair: pair.pair, left: pair.left, right: pair.right });
    node.setAttribute("aria-label", `${from} to ${to}`);
    node.querySelector(".pairname").textContent = `${from} → ${to}`;
    const shown = (n) => n.toLocaleString("en");
    const linked = (old, change, n) => {
      const fresh = document.createElement(n ? "a" : "span");
      fresh.className = old.className.replace(" none", "") + (old.matches(".tile") && !n ? " none" : "");
      if (n) [fresh.href, fresh.dataset.kind] = [address(change), change];
      old.replaceWith(fresh);
      return fresh;
    };
    const tiles = [["right-wrong", counts[1]], ["wrong-right", counts[5]], ["abstained", counts[25]], ["failed", counts[26]]];
    const notes = [
      `of ${shown(counts[4])} ${this.words[0][1]} before`, `of ${shown(counts[9])} ${this.words[1][1]} before`,
      `${shown(counts[14])} before, ${shown(counts[22])} now`, `${shown(counts[19])} before, ${shown(counts[23])} now`,
    ];
    [...node.querySelectorAll(".tile")].forEach((old, at) => {
      const parts = [...old.children];
      const fresh = linked(old, ...tiles[at]);
      fresh.append(...parts);
      parts[0].textContent = shown(tiles[at][1]);
      parts[2].textContent = notes[at];
    });
    const box = node.querySelector(".matrixbox");
    box.setAttribute("aria-label", `What became of every case, ${from} to ${to}`);
    const heads = [...box.querySelectorAll("caption span")];
    [heads[0].textContent, heads[1].textContent] = [`${from} ↓`, `${to} →`];
    box.querySelector(".unseen").textContent = `${from} to ${to}`;
    node.querySelector(".csv button")?.setAttribute("aria-label", `CSV of what became of every case, ${from} to ${to}`);
    const used = this.part.dataset.used.split(" ").map(Number);
    const rows = [...box.querySelectorAll("tbody tr")];
    used.forEach((at, row) => {
      const cells = [...rows[row].cells].slice(1);
      used.forEach((other, column) => {
        const n = counts[at * 5 + other];
        const change = `${this.words[at][0]}-${this.words[other][0]}`;
        const fresh = linked(cells[column].firstElementChild, change, n);
        fresh.className = n ? (at === other ? "same" : "moved") : "";
        fresh.textContent = shown(n);
        if (n) fresh.setAttribute("aria-label", `${this.words[at][1]} → ${this.words[other][1]}: ${shown(n)}`);
      });
      cells[used.length].textContent = shown(counts[at * 5 + 4]);
    });
    const sums = [...rows[used.length].cells].slice(1);
    [...used, 4].forEach((at, column) => { sums[column].textContent = shown(counts[20 + at]); });
    const told = node.querySelector(".mcnemar");
    told.querySelector(".m").replaceWith(pair.row.querySelector(".m").cloneNode(true));
    told.querySelector("span").textContent = line;
    this.changes.findLast((each) => each.section).section.after(node);
    pair.section = node;
  }

  /* The sides that are looked at: those of the pair, or the chosen one. */
  looked() {
    const pair = this.change();
    if (pair) return [pair.left, pair.right];
    return this.shape > 1 ? [this.side()] : [0];
  }

  side() {
    if (this.sides && this.state.system) return [...this.sides.options].findIndex((each) => each.value === this.state.system) - 1;
    return this.change()?.right ?? 0;
  }

  matches(each) {
    const { change, answer, truth, item, cluster, group, given, from, to, q } = this.state;
    const pair = this.change();
    if (change && pair) {
      const [before, after] = [each.signs[pair.left], each.signs[pair.right]];
      const [one, other] = change.split("-");
      if (other ? before !== SIGNS[one] || after !== SIGNS[other]
        : after !== SIGNS[one] || !(one === "failed" ? "rwa" : "rw").includes(before)) return false;
    }
    const side = this.side();
    if (answer && each.signs[side] !== SIGNS[answer]) return false;
    if (truth && each.node.dataset.truth !== truth) return false;
    if (item && each.node.dataset.item !== item) return false;
    if (cluster && each.node.dataset.cluster !== cluster) return false;
    if (group && each.node.dataset.group !== group) return false;
    if (given && each.given[side] !== given) return false;
    if (from || to) {
      const sure = each.sure[side];
      if (sure === "" || sure === undefined) return false;
      if (from && Number(sure) < Number(from)) return false;
      if (to && Number(sure) > Number(to)) return false;
    }
    return !q || each.words.includes(q.toLowerCase());
  }

  /* What a side answered, for the list: prepared for the first pair, taken from the case for others. */
  row(each) {
    const holder = each.row.querySelector(".givens");
    for (const side of this.looked()) {
      let given = holder.querySelector(`[data-side="${side}"]`);
      if (!given) {
        const what = each.body.querySelector(`.side[data-side="${side}"] .what`);
        if (!what) continue;
        given = made("span");
        given.className = "given";
        given.dataset.side = side;
        const [sign, word] = [what.querySelector("svg"), what.querySelector(".statew").textContent];
        if (sign) given.append(sign.cloneNode(true));
        made("span", `${word}: `, given).className = "unseen";
        given.append(what.querySelector("b")?.textContent ?? word);
      }
      holder.append(given);
    }
  }

  /* A list shows so many at a time. */
  list() {
    const chosen = this.found.findIndex((each) => each.id === this.state.case);
    const shown = Math.max(this.most, chosen + 1);
    for (const each of this.cases) each.node.hidden = true;
    for (const each of this.found.slice(0, shown)) {
      each.node.hidden = false;
      this.row(each);
    }
    const rest = this.found.length - shown;
    this.more.hidden = rest <= 0;
    this.more.textContent = `Show ${Math.min(rest, MOST)} more of ${rest}`;
    for (const group of this.part.querySelectorAll(".casegroup")) group.hidden = !group.querySelector("details:not([hidden])");
    this.sort(this.part);
  }

  /* Show what the address asks for. */
  apply({ scroll = false } = {}) {
    const state = this.read();
    if (state === null && scroll) return;
    this.state = state ?? {};
    this.fill();
    this.found = this.cases.filter((each) => this.matches(each));
    this.list();
    this.mark();
    this.tell();
    const chosen = this.found.find((each) => each.id === this.state.case);
    const first = wide.matches ? this.found[0] : undefined;
    this.choose(chosen ?? first, Boolean(chosen));
    if (scroll) this.section.scrollIntoView({ behavior: "instant" });
  }

  fill() {
    const pair = this.change();
    if (pair && !pair.section) this.lay(pair);
    for (const each of this.selects) {
      if (each.name === "change") this.offer(each, pair);
      each.value = (each.name === "pair" ? pair.pair : this.state[each.name]) ?? "";
      each.classList.toggle("set", Boolean(each.value) && (each.name !== "pair" || this.changes.length > 1));
    }
    if (!this.typing) this.search.value = this.state.q ?? "";
    for (const each of this.changes) if (each.section) each.section.hidden = each !== pair;
    if (this.open) this.sort(this.open.body);
    const chips = this.bar.querySelector(".chips");
    chips.replaceChildren();
    const { given, cluster, from, to } = this.state;
    const chip = (text, keys) => {
      const button = made("button", text, chips);
      button.type = "button";
      button.setAttribute("aria-label", `Remove: ${text}`);
      button.addEventListener("click", () => this.go(Object.fromEntries(keys.map((key) => [key, ""]))));
    };
    if (given) chip(`answer ${given}`, ["given"]);
    if (cluster) chip(cluster, ["cluster"]);
    if (from || to) chip(`${this.part.dataset.measure} ${from ? `from ${from}` : ""}${from && to ? " " : ""}${to ? `to ${to}` : ""}`, ["from", "to"]);
  }

  offer(select, pair) {
    if (select.dataset.pair === pair.pair) return;
    select.dataset.pair = pair.pair;
    while (select.options.length > 1) select.lastChild.remove();
    for (const [value, words, n] of this.choices(pair)) {
      const option = made("option", words, select);
      [option.value, option.dataset.n] = [value, n];
    }
  }

  /* Show the sides that are looked at, and no row that neither of them has. */
  sort(part) {
    const shown = this.looked();
    for (const node of part.querySelectorAll("[data-side]")) {
      const place = shown.indexOf(Number(node.dataset.side));
      node.toggleAttribute("hidden", place < 0);
      node.classList.toggle("to", node.classList.contains("given") && place === 1);
      node.classList.toggle("fore", place === 0);
    }
    for (const row of part.querySelectorAll(".prow")) row.hidden = !row.querySelector(".pcell:not([hidden]):not(.absent)");
  }

  /* Which tile and which cell is looked at. */
  mark() {
    for (const node of this.part.querySelectorAll("[data-kind]")) {
      const own = node.closest(".change");
      const now = own ? this.state.change : this.state.answer;
      if (now && node.dataset.kind === now && (!own || own === this.change()?.section)) node.setAttribute("aria-current", "true");
      else node.removeAttribute("aria-current");
    }
  }

  tell() {
    const { total, one, many } = this.part.dataset;
    const [n, held, all] = [this.found.length, this.cases.length, Number(total)];
    const found = this.bar.querySelector(".found");
    found.replaceChildren();
    made("b", n.toLocaleString("en"), found);
    found.append(` of ${all.toLocaleString("en")} ${all === 1 ? one : many}`);
    const list = this.selects.find((each) => each.name === "change");
    const cell = Number(list?.selectedOptions[0]?.dataset.n ?? NaN);
    const only = Object.keys(this.state).every((key) => ["pair", "change", "case"].includes(key));
    if (!Object.keys(this.state).some((key) => !["pair", "case"].includes(key)) && held < all) found.append(" are in this file");
    else if (only && cell > n) found.append(`; ${n.toLocaleString("en")} of ${cell.toLocaleString("en")} are in this file`);
    else if (held < all && !Number.isFinite(cell)) found.append(`, ${held.toLocaleString("en")} in this file`);
    const none = this.part.querySelector(".nomatch");
    none.hidden = n > 0;
    none.querySelector("b").textContent = cell > 0 && only
      ? `0 of these ${cell.toLocaleString("en")} ${many} are in this file` : `0 of ${held.toLocaleString("en")} ${many} match`;
    none.querySelector("span").textContent = Object.entries(this.state).filter(([key]) => key !== "case").map(([key, value]) => `${key}: ${value}`).join(", ");
    const odd = this.part.querySelector(".unknown");
    odd.hidden = !this.unknown?.length;
    odd.textContent = odd.hidden ? "" : `Not known here, and left out: ${this.unknown.join(", ")}.`;
  }

  choose(each, asked) {
    if (this.open && this.open !== each) this.shut();
    this.open = each ?? null;
    this.asked = asked;
    if (!each) return;
    if (!each.keys) this.equip(each);
    this.sort(each.body);
    each.row.setAttribute("aria-current", "true");
    if (wide.matches) {
      each.node.open = false;
      this.pane.replaceChildren(each.body);
    } else {
      each.node.append(each.body);
      each.node.open = true;
    }
    if (asked && wide.matches) each.row.scrollIntoView({ block: "nearest" });
  }

  shut() {
    this.open.row.removeAttribute("aria-current");
    this.open.body.remove();
    this.open.node.open = false;
    this.open = null;
  }

  equip(each) {
    const keys = made("p", undefined, each.body.querySelector(".casehead"));
    keys.className = "casekeys";
    each.keys = keys;
    const button = (text, key, act) => {
      const one = made("button", text, keys);
      one.type = "button";
      if (key) {
        made("kbd", key, one).setAttribute("aria-hidden", "true");
        one.setAttribute("aria-keyshortcuts", key);
      }
      one.addEventListener("click", () => act(one));
    };
    button("Previous ", "k", () => this.step(-1));
    button("Next ", "j", () => this.step(1));
    button("Copy link", "", async (one) => {
      const link = new URL(location.href);
      link.hash = this.address({ ...this.state, case: each.id });
      try {
        await navigator.clipboard.writeText(link.href);
        one.textContent = "Copied";
      } catch {
        one.textContent = "Not copied";
      }
      setTimeout(() => { one.textContent = "Copy link"; }, 1500);
    });
  }

  step(by, focus = false) {
    const all = this.found;
    if (!all.length) return;
    const at = all.indexOf(this.open);
    const next = all[Math.max(0, Math.min(all.length - 1, at < 0 ? 0 : at + by))];
    this.replace({ case: next.id });
    if (focus) next.row.focus();
  }

  address(state) {
    const query = new URLSearchParams(Object.entries(state).filter(([, value]) => value));
    return `${this.name}?${query.toString().replaceAll("%7E", "~").replaceAll("+", "%20")}`;
  }

  /* A filter is a step back; reading on, and typing, is none. */
  go(more) {
    const state = { ...this.state, case: "", ...more };
    if ("pair" in more) state.change = "";
    location.hash = this.address(state);
  }

  replace(more) {
    history.replaceState(null, "", `#${this.address({ ...this.state, ...more })}`);
    this.apply();
  }

  listen() {
    this.more = made("button", "", this.part.querySelector(".caselist"));
    this.more.type = "button";
    this.more.className = "more";
    this.more.addEventListener("click", () => {
      const next = this.found[this.most];
      this.most += MOST;
      this.list();
      next.row.focus();
    });
    this.bar.addEventListener("submit", (event) => event.preventDefault());
    this.bar.addEventListener("change", (event) => {
      const key = event.target.dataset.filter;
      if (key === "q") this.typing = false;
      if (key && key !== "q") this.go({ [key]: event.target.value });
    });
    this.search.addEventListener("input", () => {
      if (!this.typing && !this.state.q) history.pushState(null, "", location.href);
      this.typing = true;
      this.replace({ q: this.search.value, case: "" });
    });
    this.search.addEventListener("blur", () => { this.typing = false; });
    for (const button of this.part.querySelectorAll(".clear")) {
      button.addEventListener("click", () => { location.hash = `${this.name}?`; this.search.focus(); });
    }
    this.part.addEventListener("click", (event) => {
      const row = event.target.closest?.(".case > summary");
      if (!row) return;
      event.preventDefault();
      const each = this.cases.find((one) => one.row === row);
      if (this.open === each && !wide.matches) this.close();
      else this.replace({ case: each.id });
    });
    wide.addEventListener("change", () => { if (this.open) { const now = this.open; this.shut(); this.choose(now, this.asked); } });
    addEventListener("keydown", (event) => this.key(event));
  }

  close() {
    const row = this.open?.row;
    this.replace({ case: "" });
    row?.focus();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const inside = this.part.contains(event.target);
    const box = this.part.getBoundingClientRect();
    const seen = box.top < innerHeight - 80 && box.bottom > 80;
    const typed = event.target.matches?.("input, select, textarea");
    const free = event.target === document.body || (!typed && "jk/".includes(event.key));
    if (!inside && !(seen && free)) return;
    if (event.key === "Escape" && inside) {
      if (event.target === this.search && this.search.value) this.replace({ q: "" });
      else if (this.open) this.close();
      this.typing = false;
      return;
    }
    if (typed) return;
    const row = event.target.matches?.(".case > summary");
    if (event.key === "j" || event.key === "k") this.step(event.key === "j" ? 1 : -1, row);
    else if (event.key === "/") this.search.focus();
    else if (row && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      const all = this.found.slice(0, this.most);
      const at = all.findIndex((each) => each.row === event.target) + (event.key === "ArrowDown" ? 1 : -1);
      all[Math.max(0, Math.min(all.length - 1, at))].row.focus();
    } else return;
    event.preventDefault();
  }
}

const all = [...document.querySelectorAll("[data-explorer]")].filter((each) => each.querySelector(".casebar")).map((each) => new Explorer(each));
for (const each of all) each.apply();
const arrive = () => { for (const each of all) each.apply({ scroll: location.hash.startsWith(`#${each.name}?`) && !each.part.contains(document.activeElement) }); };
addEventListener("hashchange", arrive);
addEventListener("popstate", () => { for (const each of all) each.apply(); });
for (const each of all) if (location.hash.startsWith(`#${each.name}?`)) each.section.scrollIntoView({ behavior: "instant" });

/* A point, bin, cell or bar that has cases behind it leads to them. */
function lead(point) {
  const home = point.closest("article")?.querySelector("[data-explorer]");
  if (home) location.hash = `${home.dataset.explorer}cases?${point.dataset.go}`;
}
addEventListener("click", (event) => {
  const point = event.target.closest?.("[data-go]");
  if (point) lead(point);
});
addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.target.classList?.contains("drawing")) return;
  const point = event.target.querySelector(".now[data-go]");
  if (point) lead(point);
});
})();
