// Brings each new state of the table into the page, and tells other scripts with the event `shown`; its
// `detail.interrupted` says whether an interruption ended.

import { connect } from "./connection.js";
import { loadDrawings } from "./later.js";
import { main } from "./page.js";
import { patch } from "./patching.js";
import { allowPresses } from "./press.js";

// Return whether this page is left, or loaded anew.
function redirect() {
  const address = main.querySelector("[data-goto]")?.dataset.goto;
  const reload = Boolean(main.querySelector("[data-reload]"));
  if (reload) location.reload();
  else if (address) location.replace(address);
  return reload || Boolean(address);
}

export function show(html, interrupted) {
  patch(html);
  allowPresses();
  // What leads elsewhere shows no table, so no script may look for it there.
  if (redirect()) return;
  loadDrawings(main.querySelector("[data-drawings]")?.dataset.drawings);
  document.dispatchEvent(new CustomEvent("shown", { detail: { interrupted } }));
}

// Follow the table. `receive` gets each page that comes, and shows it sooner or later.
export function follow(receive) {
  redirect();
  connect(receive);
  addEventListener("load", () => loadDrawings(main.querySelector("[data-drawings]")?.dataset.drawings));
  // From now on scripts hear what is tapped: all of a page's scripts run as one.
  document.body.inert = false;
}
