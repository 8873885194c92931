// Drags people to their places at the table (`data-order`: where to), by the grip of each.
// The buttons beside it do the same without a finger that drags.
"use strict";

let drag;

document.addEventListener("pointerdown", (event) => {
  const grip = event.target.closest(".grip");
  const list = grip?.closest("[data-order]");
  if (!list || !event.isPrimary || event.button) return;
  event.preventDefault();
  const rows = [...list.children];
  const row = grip.closest("li");
  drag = {
    list, row, rows,
    pointer: event.pointerId,
    begun: event.clientY,
    from: rows.indexOf(row),
    to: rows.indexOf(row),
    boxes: rows.map((other) => other.getBoundingClientRect()),
    order: ids(list),
  };
  row.setPointerCapture(event.pointerId);
  row.classList.add("dragged");
});

document.addEventListener("pointermove", (event) => {
  if (event.pointerId !== drag?.pointer) return;
  const moved = event.clientY - drag.begun;
  const middle = (box) => (box.top + box.bottom) / 2;
  const here = middle(drag.boxes[drag.from]) + moved;
  // As many places down as there are rows whose middle it has passed.
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
  // Somebody came or went meanwhile: this order is no longer one of those who sit here.
  if (to === from || order.join() !== ids(list).join()) return settle();
  order.splice(to, 0, ...order.splice(from, 1));
  await press(list.dataset.order, new URLSearchParams(order.map((person) => ["person", person])));
  settle();
});

document.addEventListener("pointercancel", settle);

function ids(list) {
  return [...list.children].map((row) => row.dataset.person);
}

function settle() {
  if (!drag) return;
  for (const row of drag.rows) row.style.removeProperty("transform");
  drag.row.classList.remove("dragged");
  drag = undefined;
}

// What was chosen and not sent is nothing for the next one who gets this phone.
document.addEventListener("close", (event) => event.target.matches("dialog.enter") && event.target.querySelector("form").reset(), true);
