// Turns the page into the one that the table sent, changing only what differs.

import { main } from "./page.js";

// Marks the start and end of a part (see docs/dev/decisions/2026-11-21-live-pages.md). Most parts come
// unchanged and are not even parsed.
const PART = /<div class="part(?: later)?" id="([\w-]+)">|<\/div><!---->/;
const FIRST_TAG = /^\s*<[^>]*>/;

// The last page received, split at PART: text before a part, its id, its content, nothing; and so on.
let shown = [];
// The first page sent repeats the loaded one.
const loaded = main.innerHTML.trim();
// The HTML that each element with an id was last made from: if it is unchanged, the element stays.
const sources = new WeakMap();

export function patch(html) {
  const pieces = html.split(PART);
  if (!patchParts(pieces)) {
    postponed.clear();
    const next = parse(html);
    if (shown.length || next.innerHTML.trim() !== loaded) morph(main, next.content);
  }
  shown = pieces;
}

// Update the parts that changed. Return false if that is not enough: parts came or went, or something
// between them changed.
function patchParts(pieces) {
  const withoutTag = (piece, place) => (place ? piece : piece.replace(FIRST_TAG, ""));
  const same = (piece, place) => place % 4 === 2 || withoutTag(piece, place) === withoutTag(shown[place], place);
  if (pieces.length !== shown.length || !pieces.every(same)) return false;
  const changes = [];
  for (let place = 2; place < pieces.length; place += 4) {
    if (pieces[place] === shown[place]) continue;
    const part = document.getElementById(pieces[place - 1]);
    // Decide for all parts before changing anything: each change would make the browser work out the layout again.
    const wait = part.classList.contains("later") && !onScreen(part);
    changes.push([wait ? postpone : patchPart, part, pieces[place]]);
  }
  const [tag] = pieces[0].match(FIRST_TAG) ?? [""];
  if (!shown[0].startsWith(tag)) copyAttributes(parse(tag).content.firstElementChild, main.firstElementChild);
  for (const [change, part, html] of changes) change(part, html);
  return true;
}

function patchPart(part, html) {
  postponed.delete(part);
  sources.delete(part);
  morph(part, parse(html).content);
}

// A part out of sight, below the screen or in a closed sheet, can wait (class `later`) until the
// rest is painted or the page is touched.
const PAINTED_MS = 100;
const postponed = new Map();

function postpone(part, html) {
  if (!postponed.size) setTimeout(patchPostponed, PAINTED_MS);
  postponed.set(part, html);
}

function patchPostponed() {
  for (const [part, html] of postponed) patchPart(part, html);
}

for (const touch of ["pointerdown", "keydown", "click", "submit"]) addEventListener(touch, patchPostponed, true);

function onScreen(part) {
  return [...part.children].some((child) => {
    const { top, bottom } = child.getBoundingClientRect();
    return top < bottom && bottom > 0 && top < innerHeight;
  });
}

export function parse(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template;
}

function copyAttributes(from, to) {
  for (const { name } of [...to.attributes]) if (!from.hasAttribute(name)) to.removeAttribute(name);
  for (const { name, value } of from.attributes) if (to.getAttribute(name) !== value) to.setAttribute(name, value);
}

function morph(element, content) {
  // Idiomorph is a classic script, loaded before this one.
  window.Idiomorph.morph(element, content.childNodes, {
    morphStyle: "innerHTML",
    callbacks: {
      // What the player is busy with (`data-keep`) stays until the table renames it.
      beforeNodeMorphed: (old, next) => {
        // What was a live picture becomes a still one: `src` is the page's again.
        if (old.dataset?.camera && !next.dataset?.camera) delete old.dataset.camera;
        return !(old.dataset?.keep && old.dataset.keep === next.dataset?.keep) && !unchanged(old, next);
      },
      beforeAttributeUpdated: (name, node) =>
        name !== "open" && !(name === "src" && (node.dataset.src || node.dataset.camera)),
    },
  });
}

function unchanged(old, next) {
  if (!next.id) return false;
  const html = next.outerHTML;
  if (sources.get(old) === html) return true;
  sources.set(old, html);
  return false;
}
