// Opens dialogs (`data-opens`: the id) and closes them (`data-closes`, on a button or around some, or a tap beside the sheet).

import { NERVOUS_MS } from "./attention.js";
import { main, shownState } from "./page.js";

document.addEventListener("click", (event) => {
  if (event.target.matches("dialog:not(.dealt)")) event.target.close();
  const button = event.target.closest("button");
  if (button?.dataset.opens) open(button.dataset.opens, button);
  if (button?.closest("[data-closes]:not(form)")) button.closest("dialog")?.close();
});

function open(id, opener) {
  const dialog = document.getElementById(id);
  const quoted = dialog.querySelector("[data-quoted]");
  if (quoted) {
    // One dialog for all lines of a list: it is about the line of this button. The second question of two is
    // about that of the first.
    const first = opener.closest("dialog")?.querySelector("[data-quoted]");
    quoted.textContent = (first ?? told(opener)).textContent;
    for (const each of dialog.querySelectorAll("[data-press], [data-opens]")) each.dataset.with = opener.dataset.with;
    const seats = opener.dataset.of?.split(" ") ?? [];
    for (const button of dialog.querySelectorAll("[data-seat]")) button.hidden = !seats.includes(button.dataset.seat);
  }
  const { reading } = shownState();
  for (const picture of dialog.querySelectorAll("img[data-src]")) picture.src = `${picture.dataset.src}?${reading}`;
  dialog.showModal();
}

// What a line of a list says, before its buttons.
function told(button) {
  let before = button;
  while (before.matches("button")) before = before.previousElementSibling;
  return before;
}

// After a press in the sheet `id`, open the sheet of the next button that `selector` finds (`data-then`).
// Not at once: the second tap of a double tap would answer it.
export function openNext(selector, id) {
  setTimeout(() => {
    if (document.querySelector("dialog[open]")) return;
    const openers = [...main.querySelectorAll(selector)];
    const next = openers.find(({ dataset }) => dataset.opens > id) ?? openers.find(({ dataset }) => dataset.opens < id);
    next?.click();
  }, NERVOUS_MS);
}

// If there is no picture of this die, hide it. (Errors of pictures don't bubble.)
document.addEventListener("error", (event) => event.target.matches?.("img[data-src], img.evidence") && event.target.remove(), true);

// The next player with this phone must not see an unsent choice.
document.addEventListener("close", ({ target }) => target.matches("dialog.enter") && target.querySelector("form").reset(), true);
