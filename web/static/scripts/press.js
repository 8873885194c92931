// Sends presses of buttons and forms (`data-press`: the address) to the table, one after the other.

import { reconnect } from "./connection.js";
import { openNext } from "./dialogs.js";
import { post, say, sayUnheard, shownState } from "./page.js";
import { chooseAnswer, chosenAnswers, withdrawAnswer } from "./questions.js";

// The second tap of a double tap may come before the page that answers the first.
const DOUBLE_TAP_MS = 500;

// The last press, while the same press again would be a double tap.
let last;
// When the presses before this one are answered.
let answered = Promise.resolve();

// Send a press; return whether the table accepted it. Ignores double taps. Another press waits until
// those before it are answered; if they changed the page it was made on, the table refuses it and says so.
export async function press(address, fields, form) {
  const made = { what: `${address}?${fields}` };
  if (made.what === last?.what) return false;
  last = made;
  say("");
  const { version, reading } = shownState();
  fields.append("version", version);
  if (reading !== undefined) fields.append("reading", reading);
  const accepted = answered.then(() => send(address, fields, form));
  answered = accepted;
  if (await accepted) setTimeout(() => forget(made), DOUBLE_TAP_MS);
  else forget(made);
  return accepted;
}

async function send(address, body, form) {
  try {
    const answer = await post(address, { body });
    if (answer.redirected) location.assign(answer.url);
    else if (!answer.ok) say(await answer.text());
    else {
      form?.reset();
      // Its sheet must not cover what came of it.
      if ("closes" in (form?.dataset ?? {})) form.closest("dialog").close();
      return true;
    }
  } catch {
    sayUnheard();
    reconnect();
  }
  return false;
}

function forget(made) {
  if (last === made) last = undefined;
}

// A new page has arrived: all its buttons can be pressed.
export function allowPresses() {
  last = undefined;
}

// Scripts that are loaded later ask for a press.
document.addEventListener("press", ({ detail }) => detail.done(press(detail.address, detail.fields)));

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.dataset.press) return;
  event.preventDefault();
  const { submitter } = event;
  const inSteps = submitter?.closest("[data-step]");
  // Answering the last step sends all answers.
  if (inSteps && !chooseAnswer(form, submitter)) return;
  const fields = new URLSearchParams(new FormData(form));
  for (const [name, value] of new URLSearchParams(form.dataset.with)) fields.append(name, value);
  for (const button of inSteps ? chosenAnswers(form) : [submitter])
    if (button?.name) fields.append(button.name, button.value);
  if (!(await press(form.dataset.press, fields, form)) && inSteps) withdrawAnswer(submitter);
});

// The fields of a button: its own, and with `data-now` the time of this phone, in seconds since 1970.
function fieldsOf({ dataset }) {
  const fields = new URLSearchParams(dataset.with);
  if (dataset.now !== undefined) fields.append("now", Math.trunc(Date.now() / 1000));
  return fields;
}

// A button's own fields are in `data-with`, as are those of a form whose dialog is about one line of a list.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("button");
  if (!button?.dataset.press) return;
  const { then } = button.dataset;
  const sheet = button.closest("dialog")?.id;
  const accepted = await press(button.dataset.press, fieldsOf(button));
  if (accepted && then) openNext(then, sheet);
});

// At most `data-most` boxes of a group can be ticked.
document.addEventListener("change", (event) => {
  const group = event.target.closest("[data-most]");
  if (!group) return;
  const full = group.querySelectorAll(":checked").length >= Number(group.dataset.most);
  for (const box of group.querySelectorAll("input")) box.disabled = full && !box.checked;
  // The last one sends them, unless a button does.
  if (full && !group.closest("form").querySelector("button")) group.closest("form").requestSubmit();
});
