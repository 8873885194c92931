// Keeps the page up to date; without it, the page shows the table as it was when it loaded.

import { alertPlayer } from "./alerts.js";
import { scrollToNews } from "./attention.js";
import { showCameras } from "./cameras.js";
import { connect } from "./connection.js";
import "./dialogs.js";
import { main } from "./page.js";
import { patch } from "./patching.js";
import { allowPresses } from "./press.js";
import { showSteps } from "./questions.js";
import "./roles.js";
import "./seat-order.js";
import "./uploads.js";

// Do what the current page asks for.
function followUp() {
  const redirect = main.querySelector("[data-goto]");
  if (redirect) location.replace(redirect.dataset.goto);
  showCameras();
  alertPlayer();
  showSteps();
}

followUp();
connect((html, interrupted) => {
  patch(html);
  scrollToNews();
  allowPresses();
  followUp();
  if (interrupted) showCameras(true);
  document.dispatchEvent(new CustomEvent("shown", { detail: { interrupted } }));
});
