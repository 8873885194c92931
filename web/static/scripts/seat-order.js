// Puts the players into seating order by dragging or tapping; the buttons beside each name also work.

const idsOf = (rows) => rows.map((row) => row.dataset.person);

// This script is loaded later, so it shares no modules with the page's own: see press.js.
function send(address, ids) {
  const fields = new URLSearchParams(ids.map((id) => ["person", id]));
  return new Promise((done) => document.dispatchEvent(new CustomEvent("press", { detail: { address, fields, done } })));
}

// Dragging a player's grip (`data-order`: the address).

let drag;

document.addEventListener("pointerdown", (event) => {
  const grip = event.target.closest(".grip");
  const list = grip?.closest("[data-order]");
  if (!list || !event.isPrimary || event.button) return;
  event.preventDefault();
  const rows = [...list.children];
  const row = grip.closest("li");
  const from = rows.indexOf(row);
  const boxes = rows.map((other) => other.getBoundingClientRect());
  drag = { list, row, rows, boxes, from, to: from, order: idsOf(rows), pointer: event.pointerId, begun: event.clientY };
  row.setPointerCapture(event.pointerId);
  row.classList.add("dragged");
});

document.addEventListener("pointermove", (event) => {
  if (event.pointerId !== drag?.pointer) return;
  const moved = event.clientY - drag.begun;
  const middle = (box) => (box.top + box.bottom) / 2;
  const here = middle(drag.boxes[drag.from]) + moved;
  // Move down by the number of rows whose middle it has passed.
  drag.to = drag.boxes.filter((box, place) => place !== drag.from && middle(box) < here).length;
  const height = drag.boxes[drag.from].height;
  drag.rows.forEach((row, place) => {
    const below = place > drag.from && place <= drag.to;
    const above = place < drag.from && place >= drag.to;
    row.style.transform = `translateY(${row === drag.row ? moved : below ? -height : above ? height : 0}px)`;
  });
});

document.addEventListener("pointerup", async (event) => {
  if (event.pointerId !== drag?.pointer) return;
  const { list, from, to, order } = drag;
  // A player joined or left meanwhile, so this order is out of date.
  if (to === from || order.join() !== idsOf([...list.children]).join()) return drop();
  order.splice(to, 0, ...order.splice(from, 1));
  await send(list.dataset.order, order);
  drop();
});

document.addEventListener("pointercancel", drop);

function drop() {
  if (!drag) return;
  for (const row of drag.rows) row.style.removeProperty("transform");
  drag.row.classList.remove("dragged");
  drag = undefined;
}

// Tapping the players in order (`data-taps`: the address).

const placeOf = (button) => Number(button.dataset.place ?? 0);

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-taps] button");
  if (!button) return;
  const list = button.closest("[data-taps]");
  const buttons = [...list.querySelectorAll("button")];
  let order = buttons.filter(placeOf).sort((one, other) => placeOf(one) - placeOf(other));
  // A second tap on a player removes them and everyone after them.
  if (placeOf(button)) order = order.slice(0, placeOf(button) - 1);
  else order.push(button);
  const left = buttons.filter((other) => !order.includes(other));
  showPlaces(list, order);
  if (left.length > 1) return;
  await send(list.dataset.taps, idsOf([...order, ...left]));
  list.closest("dialog").close();
});

function showPlaces(list, order) {
  for (const button of list.querySelectorAll("button")) {
    const place = order.indexOf(button) + 1;
    button.setAttribute("aria-pressed", place > 0);
    if (place) button.dataset.place = place;
    else delete button.dataset.place;
  }
  const names = order.map((button, index) => `${index + 1} ${button.textContent.trim()}`);
  list.querySelector("[role=status]").textContent = names.join(", ");
}

document.addEventListener(
  "close",
  (event) => event.target.id === "tapping" && showPlaces(event.target.querySelector("[data-taps]"), []),
  true,
);
