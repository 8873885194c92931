// Shows a secret role while its button is held, or reads it out to a screen reader.

import { post, say, sayUnheard } from "./page.js";

// Where a button shows something; one that was shown there itself gives way to it.
const outputOf = (button) => document.getElementById(button.getAttribute("aria-controls")) ?? button.closest("output");

// Shown only while the button is held (`data-hold`: the role's address).

let held;

// A role held for so long at the deal was read.
const READ_MS = 700;

async function hold(button) {
  release();
  const mine = (held = { button, output: outputOf(button), request: new AbortController() });
  button.classList.add("held");
  try {
    const answer = await post(button.dataset.hold, { signal: mine.request.signal });
    const text = await answer.text();
    if (held !== mine) return;
    if (answer.ok) {
      mine.output.innerHTML = text;
      mine.shown = performance.now();
    } else say(text);
  } catch {
    if (held === mine) sayUnheard();
  }
}

function release() {
  if (!held) return;
  held.request.abort();
  held.output.replaceChildren();
  held.button.classList.remove("held");
  if (performance.now() - held.shown > READ_MS) held.button.closest(".dealt")?.close();
  held = undefined;
}

const holdButton = (event) => event.target.closest?.("[data-hold]");

document.addEventListener("pointerdown", (event) => {
  const button = holdButton(event);
  if (!button || !event.isPrimary || event.button) return;
  // Browsers capture a finger for the element it first touched, but sliding off must hide the role.
  if (event.target.hasPointerCapture(event.pointerId)) event.target.releasePointerCapture(event.pointerId);
  hold(button);
});
document.addEventListener("pointermove", (event) => {
  if (held && !held.button.contains(document.elementFromPoint(event.clientX, event.clientY))) release();
});
document.addEventListener("keydown", (event) => {
  const button = holdButton(event);
  if (!button || (event.key !== " " && event.key !== "Enter")) return;
  event.preventDefault();
  if (!event.repeat) hold(button);
});
document.addEventListener("contextmenu", (event) => holdButton(event) && event.preventDefault());
document.addEventListener("focusout", (event) => event.target === held?.button && release());
for (const end of ["pointerup", "pointercancel", "keyup", "visibilitychange", "mouseleave"])
  document.addEventListener(end, release);
for (const end of ["blur", "pagehide"]) addEventListener(end, release);

// Read out (`data-reveal`: the role's address) once a dialog confirms; it disappears with the dialog.

async function reveal(button) {
  const output = outputOf(button);
  try {
    const answer = await post(button.dataset.reveal);
    const text = await answer.text();
    if (!output.closest("dialog").open) return;
    if (!answer.ok) return say(text);
    output.innerHTML = text;
    output.dispatchEvent(new Event("revealed", { bubbles: true }));
  } catch {
    sayUnheard();
  }
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-reveal]");
  if (button) reveal(button);
});
document.addEventListener(
  "close",
  ({ target }) => target.matches("[data-secret]") && target.querySelector("output").replaceChildren(),
  true,
);
for (const end of ["visibilitychange", "pagehide"])
  addEventListener(end, () => document.querySelector("dialog[data-secret][open]")?.close(), true);
