// Draws attention to what players must not miss: a new phase, a question, an undo.

import { main } from "./page.js";

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
  scrollTo(0, 0);
  if (element === main.firstElementChild) return;
  element.scrollIntoView({ block: "nearest" });
  if (element.matches(".question, .asked")) ignoreTaps(element);
}

export const NERVOUS_MS = 300;

// Briefly ignore taps on `element`, which has just appeared; then call `then`. The second tap of
// a double tap must not answer what has appeared under the finger.
export function ignoreTaps(element, then = () => {}) {
  element.inert = true;
  setTimeout(() => {
    element.inert = false;
    then();
  }, NERVOUS_MS);
}
