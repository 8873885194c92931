// Starts a page: follows the table, and does what each new state asks of this phone.

import { alertPlayer } from "./alerts.js";
import "./awake.js";
import "./dialogs.js";
import { follow, show } from "./live.js";
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
follow(show);
document.addEventListener("shown", () => {
  scrollToNews();
  followUp();
});
