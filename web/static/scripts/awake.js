// Keeps the screen on while a game is played on this page.

const main = document.querySelector("main");

let lock; // of browsers that have the Wake Lock API, which they offer over HTTPS only
let film;

const forget = () => (lock = undefined);

// Ask for the screen, or give it back, as the page now needs it.
async function keepAwake() {
  const playing = main.querySelector(":scope > .playing") !== null && !document.hidden;
  if (!navigator.wakeLock) {
    if (playing) (film ??= makeFilm()).play().catch(() => {}); // the browser may play nothing
    else film?.pause();
  } else if (playing) {
    lock ??= navigator.wakeLock.request("screen").catch(forget);
    (await lock)?.addEventListener("release", forget);
  } else (await lock)?.release();
}

// Chromium and Firefox keep the screen on while a film of any size plays, if it is a stream:
// VideoWakeLock::ShouldBeActive, HTMLVideoElement::ShouldCreateVideoWakeLock. Safari wants sound.
function makeFilm() {
  const canvas = document.createElement("canvas");
  const pencil = canvas.getContext("2d");
  setInterval(() => pencil.fillRect(0, 0, 1, 1), 1000);
  const video = document.createElement("video");
  video.className = "awake";
  video.ariaHidden = true;
  video.muted = video.playsInline = true;
  video.srcObject = canvas.captureStream();
  document.body.append(video);
  return video;
}

document.addEventListener("visibilitychange", keepAwake);
document.addEventListener("shown", keepAwake);
keepAwake();
