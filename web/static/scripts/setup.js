// Starts a page with camera pictures or files to send.

import "./main.js";
import { showCameras } from "./cameras.js";
import "./uploads.js";

showCameras();
document.addEventListener("shown", ({ detail }) => showCameras(detail.interrupted));
