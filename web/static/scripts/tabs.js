// A player's page in four tabs (`data-tab`), of which styles show one; what players must not miss, such as
// a new phase, a question or an undo, brings the first one back.

import { ignoreTaps } from "./attention.js";
import { main } from "./page.js";

// Show a tab; not while a sheet is open, which might be part of the one that is shown.
export function showTab(name) {
  if (document.querySelector("dialog[open]")) return;
  document.body.dataset.tab = name;
  for (const button of document.querySelectorAll("button[data-tab]"))
    button.setAttribute("aria-current", button.dataset.tab === name);
}

document.addEventListener("click", (event) => {
  const name = event.target.closest("button[data-tab]")?.dataset.tab;
  if (!name) return;
  showTab(name);
  scrollTo(0, 0);
});

let known = new Set(found().map(([, mark]) => mark));

// Each element that asks for attention, with a mark that changes each time it asks again.
function found() {
  const page = main.firstElementChild;
  const question = main.querySelector("#question");
  const undone = main.querySelector(".seat .now.undone");
  return [
    [page, page.className],
    [question ?? main.querySelector("header"), page.dataset.calls],
    [question, question?.dataset.asks],
    [undone, undone?.textContent],
    ...[...main.querySelectorAll("section.asked")].map((asked) => [asked, asked.id]),
  ].filter(([, mark]) => mark);
}

export function scrollToNews() {
  const now = found();
  const [element] = now.find(([, mark]) => !known.has(mark)) ?? [];
  known = new Set(now.map(([, mark]) => mark));
  if (!element) return;
  showTab("now");
  scrollTo(0, 0);
  if (element === main.firstElementChild) return;
  element.scrollIntoView({ block: "nearest" });
  // What is to be done with the real cards stands above a question that may fill the screen.
  main.querySelector("#to-do li")?.scrollIntoView({ block: "nearest" });
  if (element.matches(".question, .asked")) ignoreTaps(element);
}
