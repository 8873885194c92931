// Starts a page: follows the table, and does what each new state asks of this phone.

import { alertPlayer } from "./alerts.js";
import { scrollToNews } from "./attention.js";
import "./awake.js";
import { showCameras } from "./cameras.js";
import "./dialogs.js";
import { follow, show } from "./live.js";
import { showSteps } from "./questions.js";
import "./roles.js";
import "./seat-order.js";
import "./uploads.js";

function followUp(again) {
  showCameras(again);
  alertPlayer();
  showSteps();
}

followUp();
follow(show);
document.addEventListener("shown", ({ detail }) => {
  scrollToNews();
  followUp(detail.interrupted);
});
