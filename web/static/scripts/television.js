// Starts the table page, which follows the table and plays what happens.

import { loadScript } from "./later.js";
import { follow } from "./live.js";
import { receive } from "./moments.js";
import "./sound-loader.js";

follow(receive);
addEventListener("load", () => loadScript("awake.js"));

// Languages and sound are there while somebody moves a pointer or presses a key.
const AWAKE_MS = 6000;
let asleep;

function wake() {
  clearTimeout(asleep);
  document.documentElement.classList.add("awake");
  asleep = setTimeout(() => document.documentElement.classList.remove("awake"), AWAKE_MS);
}

for (const use of ["pointermove", "pointerdown", "keydown"]) document.addEventListener(use, wake);
