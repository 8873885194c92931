// Shows live camera pictures (`data-camera`: the address) while the page is visible.

import { main } from "./page.js";

const RETRY_MS = 3000;

// Start the pictures that aren't running yet; `restart`: start all.
export function showCameras(restart) {
  for (const picture of main.querySelectorAll("img[data-camera]")) {
    if (document.visibilityState !== "visible") picture.removeAttribute("src");
    else if (restart || !picture.hasAttribute("src")) picture.src = `${picture.dataset.camera}?${Date.now()}`;
  }
}

document.addEventListener("visibilitychange", () => showCameras(true));
// No camera, or too many pages show it. (Errors of pictures don't bubble.)
document.addEventListener(
  "error",
  (event) => event.target.matches?.("img[data-camera]") && setTimeout(() => showCameras(true), RETRY_MS),
  true,
);
