// Puts people in their places at the table. The buttons beside each name do it, too.
"use strict";

// By dragging (`data-order`: where to), at the grip of each.

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

// By tapping them in order (`data-taps`: where to).

const place = (button) => Number(button.dataset.place ?? 0);

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-taps] button");
  if (!button) return;
  const list = button.closest("[data-taps]");
  const buttons = [...list.querySelectorAll("button")];
  let order = buttons.filter(place).sort((one, other) => place(one) - place(other));
  if (place(button)) order = order.slice(0, place(button) - 1);
  else order.push(button);
  const left = buttons.filter((other) => !order.includes(other));
  number(list, order);
  if (left.length > 1) return;
  await press(list.dataset.taps, new URLSearchParams([...order, ...left].map((one) => ["person", one.dataset.person])));
  list.closest("dialog").close();
});

function number(list, order) {
  for (const button of list.querySelectorAll("button")) {
    const at = order.indexOf(button) + 1;
    button.setAttribute("aria-pressed", at > 0);
    if (at) button.dataset.place = at;
    else delete button.dataset.place;
  }
  list.querySelector("[role=status]").textContent = order.map((button, at) => `${at + 1} ${button.textContent.trim()}`).join(", ");
}

document.addEventListener("close", (event) => event.target.id === "tapping" && number(event.target.querySelector("[data-taps]"), []), true);

// What was chosen and not sent is nothing for the next one who gets this phone.
document.addEventListener("close", (event) => event.target.matches("dialog.enter") && event.target.querySelector("form").reset(), true);
