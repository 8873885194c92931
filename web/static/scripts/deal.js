// Shows a role full screen at the deal (`data-keep`: which), once on this phone, which remembers it by the dialog's id.

const main = document.querySelector("main");
const seen = {};

function isSeen({ id, dataset }) {
  try {
    seen[id] ??= localStorage.getItem(id);
  } catch {} // the browser stores nothing
  return seen[id] === dataset.keep;
}

function showDealt() {
  if (document.querySelector("dialog[open]")) return;
  [...main.querySelectorAll(".dealt")].find((dialog) => !isSeen(dialog))?.showModal();
}

document.addEventListener(
  "close",
  ({ target }) => {
    if (!target.matches(".dealt")) return;
    seen[target.id] = target.dataset.keep;
    try {
      localStorage.setItem(target.id, target.dataset.keep);
    } catch {} // it is shown again once the page is loaded again
    showDealt();
  },
  true,
);
document.addEventListener("shown", showDealt);
showDealt();
