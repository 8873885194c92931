// Keeps a page at what the table is now, and sends what is pressed. Without it nothing moves.
"use strict";

const main = document.querySelector("main");
const said = document.getElementById("said");
const lost = document.getElementById("lost");
const { unheard } = said.dataset;
const proof = document.querySelector("meta[name=page]").content;

// What the table pushes: the whole page, laid over the one that is there.

let stream;
let retry;

function listen() {
  clearTimeout(retry);
  stream?.close();
  stream = new EventSource(document.body.dataset.live);
  stream.onmessage = (event) => {
    const again = !lost.hidden;
    lost.hidden = true;
    show(event.data);
    if (again) look(true);
  };
  stream.onerror = () => {
    lost.hidden = false;
    // A refused stream (503: too many pages) does not come back by itself.
    if (stream.readyState === EventSource.CLOSED) retry = setTimeout(listen, 3000);
  };
}

function show(html) {
  Idiomorph.morph(main, html, {
    morphStyle: "innerHTML",
    callbacks: {
      // What somebody is in the middle of (`data-keep`) stays until the table names it otherwise.
      beforeNodeMorphed: (old, next) => !old.dataset?.keep || old.dataset.keep !== next.dataset?.keep,
      beforeAttributeUpdated: (name, node) =>
        name !== "open" && !(name === "src" && (node.dataset.src || node.dataset.camera)),
    },
  });
  busy = false;
  follow();
  look();
}

function follow() {
  const goto = main.querySelector("[data-goto]");
  if (goto) location.replace(goto.dataset.goto);
}

// A phone that slept has missed things, and its old connection may be dead without knowing it.
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") listen();
  look(true);
});
addEventListener("pageshow", (event) => event.persisted && listen());
addEventListener("online", listen);

// What a camera sees (`data-camera`) comes only while somebody looks.

function look(again) {
  for (const picture of main.querySelectorAll("img[data-camera]")) {
    if (document.visibilityState !== "visible") picture.removeAttribute("src");
    else if (again || !picture.hasAttribute("src")) picture.src = `${picture.dataset.camera}?${Date.now()}`;
  }
}

// Presses: `data-press` is where to, on a form with its fields, on a button with `data-with`.

let busy = false;
let silence;

async function press(where, fields, form) {
  if (busy) return;
  busy = true;
  say("");
  const { version, reading } = main.querySelector("[data-version]").dataset;
  fields.append("version", version);
  if (reading !== undefined) fields.append("reading", reading);
  try {
    const answer = await fetch(where, { method: "POST", body: fields, headers: { "X-Page": proof } });
    if (answer.redirected) location.assign(answer.url);
    else if (!answer.ok) say(await answer.text());
    else {
      form?.reset();
      // A second tap of the same finger may come before the push that answers the first one.
      return setTimeout(() => (busy = false), 500);
    }
  } catch {
    say(unheard);
    listen();
  }
  busy = false;
}

function say(text) {
  const line = text.trim();
  clearTimeout(silence);
  said.textContent = line && line[0].toUpperCase() + line.slice(1) + (/[.!?]$/.test(line) ? "" : ".");
  said.hidden = !line;
  if (line) silence = setTimeout(() => say(""), 8000);
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.dataset.press) return;
  event.preventDefault();
  const fields = new URLSearchParams(new FormData(form));
  if (event.submitter?.name) fields.append(event.submitter.name, event.submitter.value);
  press(form.dataset.press, fields, form);
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (event.target.matches("dialog")) event.target.close(); // beside the sheet
  if (!button) return;
  if (button.dataset.opens) open(button.dataset.opens);
  if (button.type === "button" && button.dataset.press)
    press(button.dataset.press, new URLSearchParams(button.dataset.with));
  if ("closes" in button.dataset) button.closest("dialog").close();
});

function open(id) {
  const dialog = document.getElementById(id);
  for (const picture of dialog.querySelectorAll("img[data-src]")) picture.src = picture.dataset.src;
  dialog.showModal();
}

// No picture of this die: the sheet does without. (Errors of pictures don't bubble.)
document.addEventListener("error", (event) => event.target.matches?.("img[data-src]") && event.target.remove(), true);
// No camera, or too many look at it.
document.addEventListener(
  "error",
  (event) => event.target.matches?.("img[data-camera]") && setTimeout(() => look(true), 3000),
  true,
);

// So many at most: what is beyond that can't be ticked.
document.addEventListener("change", (event) => {
  const group = event.target.closest("[data-most]");
  if (!group) return;
  const full = group.querySelectorAll(":checked").length >= Number(group.dataset.most);
  for (const box of group.querySelectorAll("input")) box.disabled = full && !box.checked;
});

// A role is here while a finger or a key holds the button, and not a moment longer.

let holding;

async function hold(button) {
  release();
  const mine = (holding = {
    button,
    output: document.getElementById(button.getAttribute("aria-controls")),
    request: new AbortController(),
  });
  button.classList.add("held");
  try {
    const answer = await fetch(button.dataset.hold, {
      method: "POST",
      headers: { "X-Page": proof },
      signal: mine.request.signal,
    });
    const text = await answer.text();
    if (holding !== mine) return;
    if (answer.ok) mine.output.innerHTML = text;
    else say(text);
  } catch {
    if (holding === mine) say(unheard);
  }
}

function release() {
  if (!holding) return;
  holding.request.abort();
  holding.output.replaceChildren();
  holding.button.classList.remove("held");
  holding = undefined;
}

const held = (event) => event.target.closest?.("[data-hold]");

document.addEventListener("pointerdown", (event) => {
  const button = held(event);
  if (!button || !event.isPrimary || event.button) return;
  // Fingers are bound to what they touched first; a finger that slides off must let go.
  if (event.target.hasPointerCapture(event.pointerId)) event.target.releasePointerCapture(event.pointerId);
  hold(button);
});
document.addEventListener("pointermove", (event) => {
  if (holding && !holding.button.contains(document.elementFromPoint(event.clientX, event.clientY))) release();
});
document.addEventListener("keydown", (event) => {
  const button = held(event);
  if (!button || (event.key !== " " && event.key !== "Enter")) return;
  event.preventDefault();
  if (!event.repeat) hold(button);
});
document.addEventListener("contextmenu", (event) => held(event) && event.preventDefault());
document.addEventListener("focusout", (event) => event.target === holding?.button && release());
for (const end of ["pointerup", "pointercancel", "keyup", "visibilitychange", "mouseleave"])
  document.addEventListener(end, release);
for (const end of ["blur", "pagehide"]) addEventListener(end, release);

follow();
look();
listen();
