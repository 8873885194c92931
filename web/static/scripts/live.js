// Brings each new state of the table into the page, and tells other scripts with the event `shown`; its
// `detail.interrupted` says whether an interruption ended.

import { connect } from "./connection.js";
import { main } from "./page.js";
import { patch } from "./patching.js";
import { allowPresses } from "./press.js";

function redirect() {
  if (main.querySelector("[data-reload]")) location.reload();
  const address = main.querySelector("[data-goto]")?.dataset.goto;
  if (address) location.replace(address);
}

redirect();
connect((html, interrupted) => {
  patch(html);
  allowPresses();
  redirect();
  document.dispatchEvent(new CustomEvent("shown", { detail: { interrupted } }));
});
// From now on scripts hear what is tapped: all of a page's scripts run as one.
document.body.inert = false;
