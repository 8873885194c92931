// Guides through a question in steps (`data-step`): one step is open; earlier ones show their answers
// and reopen when tapped.

import { ignoreTaps } from "./attention.js";
import { main } from "./page.js";

const CHOSEN = "[data-step] [aria-pressed=true]";

export function showSteps() {
  for (const form of main.querySelectorAll("form.question")) {
    const steps = [...form.querySelectorAll("[data-step]")];
    const answered = steps.map((step) => !!step.querySelector("[aria-pressed=true]"));
    const open = answered.indexOf(false);
    steps.forEach((step, number) => {
      step.classList.toggle("done", answered[number]);
      step.classList.toggle("later", !answered[number] && number > open);
    });
  }
}

export function chosenAnswers(form) {
  return form.querySelectorAll(CHOSEN);
}

// Note a tap on an answer. Return whether all steps are now answered.
export function chooseAnswer(form, answer) {
  const step = answer.closest("[data-step]");
  const reopened = step.classList.contains("done");
  for (const other of step.querySelectorAll("button")) other.removeAttribute("aria-pressed");
  if (!reopened) answer.setAttribute("aria-pressed", true);
  showSteps();
  const next = form.querySelector("[data-step]:not(.done)");
  if (!next) return true;
  if (reopened) return false;
  next.scrollIntoView({ block: "nearest" });
  ignoreTaps(next, () => {
    // Keyboard and screen-reader users continue with the next step.
    if ([answer, document.body].includes(document.activeElement)) next.querySelector("summary, button").focus();
  });
  return false;
}

// Undo an answer that the table did not accept, so that it can be given again.
export function withdrawAnswer(answer) {
  answer.removeAttribute("aria-pressed");
  showSteps();
}
