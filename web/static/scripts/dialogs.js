// Opens dialogs (`data-opens`: the id) and closes them (`data-closes`, or a tap beside the sheet).

import { shownState } from "./page.js";

document.addEventListener("click", (event) => {
  if (event.target.matches("dialog")) event.target.close();
  const button = event.target.closest("button");
  if (button?.dataset.opens) open(button.dataset.opens);
  if (button && "closes" in button.dataset) button.closest("dialog").close();
});

function open(id) {
  const dialog = document.getElementById(id);
  const { reading } = shownState();
  for (const picture of dialog.querySelectorAll("img[data-src]")) picture.src = `${picture.dataset.src}?${reading}`;
  dialog.showModal();
}

// If there is no picture of this die, hide it. (Errors of pictures don't bubble.)
document.addEventListener("error", (event) => event.target.matches?.("img[data-src]") && event.target.remove(), true);

// The next player with this phone must not see an unsent choice.
document.addEventListener(
  "close",
  (event) => event.target.matches("dialog.enter") && event.target.querySelector("form").reset(),
  true,
);
