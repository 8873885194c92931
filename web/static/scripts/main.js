// Starts a page: follows the table, and does what each new state asks of this phone.

import "./live.js";
import { alertPlayer } from "./alerts.js";
import "./dialogs.js";
import { showSteps } from "./questions.js";
import "./roles.js";
import "./seat-order.js";
import { scrollToNews, showTab } from "./tabs.js";

function followUp() {
  alertPlayer();
  showSteps();
  // A page that became a game's has tabs that know nothing yet.
  showTab(document.body.dataset.tab ?? "now");
}

followUp();
document.addEventListener("shown", () => {
  scrollToNews();
  followUp();
});
