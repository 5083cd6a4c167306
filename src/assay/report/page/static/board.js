(() => {
"use strict";
/* Many systems: what is chosen, sorted and compared was prepared; here it is only swapped. */
const SLOTS = 3;
function board(table) {
  const scope = table.closest(".split");
  const bodies = [...table.tBodies];
  const seats = [...table.querySelectorAll("tr.seat")];
  const homes = seats.map((seat) => seat.parentNode);
  const heads = [...table.querySelectorAll("thead th[data-sort]")];
  const legend = scope.querySelector(".legend");
  const chosen = new Map();

  /* Colours: the three that were chosen last. */
  const paint = () => {
    const slotOf = new Map([...chosen].map(([system, slot]) => [system, `s${slot}`]));
    for (const seat of seats) {
      const slot = slotOf.get(seat.dataset.sys);
      seat.classList.remove("s0", "s1", "s2");
      seat.classList.toggle("chosen", slot !== undefined);
      if (slot) seat.classList.add(slot);
      seat.querySelector("input").checked = slot !== undefined;
    }
    const groups = [...scope.querySelectorAll("svg.fig .sys")];
    for (const group of groups) {
      const slot = slotOf.get(group.dataset.sys);
      group.classList.remove("s0", "s1", "s2", "others");
      group.classList.add(slot ?? "others");
    }
    /* What is in colour lies above what is grey, where it overlaps. */
    for (const group of groups.filter((each) => each.closest(".curves") && slotOf.has(each.dataset.sys))) {
      group.parentNode.querySelector(".cut, .axis:last-of-type")?.before(group) ?? group.parentNode.append(group);
    }
    for (const [slot, each] of [...legend.children].entries()) {
      const named = [...chosen].find(([, own]) => own === slot);
      each.hidden = !named;
      if (named) {
        each.querySelector("span").textContent = seats.find((seat) => seat.dataset.sys === named[0]).querySelector("b").textContent;
      }
    }
  };
  const choose = (system, wanted) => {
    if (!wanted) chosen.delete(system);
    else if (!chosen.has(system)) {
      const used = new Set(chosen.values());
      let slot = [0, 1, 2].find((each) => !used.has(each));
      if (slot === undefined) {
        const oldest = chosen.keys().next().value;
        slot = chosen.get(oldest);
        chosen.delete(oldest);
      }
      chosen.set(system, slot);
    }
    paint();
  };
  for (const seat of seats) {
    const box = seat.querySelector("input");
    box.hidden = false;
    const slot = [0, 1, 2].find((each) => seat.classList.contains(`s${each}`));
    if (slot !== undefined) chosen.set(seat.dataset.sys, slot);
    box.addEventListener("change", () => choose(seat.dataset.sys, box.checked));
  }
  while (legend.children.length < SLOTS) legend.append(legend.lastElementChild.cloneNode(true));
  table.classList.add("live");

  /* The reference: its differences are in the page already. */
  const select = table.querySelector("select");
  select.hidden = select.options.length < 2;
  table.querySelector(".reference").hidden = !select.hidden;
  const refer = () => {
    for (const each of table.querySelectorAll("[data-ref]")) each.hidden = each.dataset.ref !== select.value;
    table.querySelector(".reference").textContent = select.selectedOptions[0].textContent;
  };
  select.addEventListener("change", refer);
  refer();

  /* Sorting by prepared places; groups are there in the order of the board alone. */
  heads.forEach((head) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.querySelector("b, span").childNodes);
    head.querySelector("b, span").replaceChildren(button);
    button.addEventListener("click", () => {
      /* The best comes first, then the other way round. */
      const { first = "ascending" } = head.dataset;
      const upward = (head.getAttribute("aria-sort") === first) !== (first === "ascending");
      for (const each of heads) each.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", upward ? "ascending" : "descending");
      const key = Number(head.dataset.sort);
      const grouped = key === 1 && upward;
      const place = (seat) => Number(seat.dataset.orders.split(" ")[key]);
      const along = (a, b) => (upward ? place(a) - place(b) : place(b) - place(a));
      const sorted = [...seats].sort((a, b) => (place(a) < 0) - (place(b) < 0) || along(a, b));
      for (const seat of sorted) {
        const home = grouped ? homes[seats.indexOf(seat)] : bodies[0];
        home.append(seat);
      }
      for (const each of table.querySelectorAll("tr.group")) each.hidden = !grouped;
    });
  });
}
for (const each of document.querySelectorAll("table.league")) board(each);
})();
