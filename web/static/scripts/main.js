// Starts a page: follows the table, and does what each new state asks of this phone.

import "./dialogs.js";
import { loadScript } from "./later.js";
import { follow, show } from "./live.js";
import { main } from "./page.js";
import { showSteps } from "./questions.js";
import "./roles.js";
import { scrollToNews, showTab } from "./tabs.js";

function followUp() {
  showSteps();
  if (main.querySelector("[data-order]")) loadScript("seat-order.js");
  if (main.querySelector("[data-share]")) loadScript("share.js");
  if (main.querySelector(".dealt")) loadScript("deal.js");
  if (main.querySelector(".sheet[data-secret]")) loadScript("open-hand.js");
  // A page that became a game's has tabs that know nothing yet.
  showTab(document.body.dataset.tab ?? "now");
}

followUp();
follow(show);
addEventListener("load", () => ["alerts.js", "awake.js"].forEach(loadScript));
document.addEventListener("shown", () => {
  scrollToNews();
  followUp();
});
