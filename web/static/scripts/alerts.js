// Makes the phone beep and vibrate when its player is needed (`data-calls`), if they turned that on.
// Over HTTPS, it also notifies them while they look at something else.

const main = document.querySelector("main");
const SETTING = "calls";

// Browsers offer both over HTTPS only.
const notifies = Boolean(navigator.serviceWorker && window.Notification);

let worker;
let audio;
let answered = reason();

function reason() {
  return main.querySelector("[data-calls]")?.dataset.calls;
}

function wanted() {
  try {
    return localStorage.getItem(SETTING) === "yes";
  } catch {
    return false; // the browser stores nothing
  }
}

// Alert the player if the page calls them for a new reason.
function alertPlayer() {
  const now = reason();
  if (now && now !== answered && wanted()) ring();
  answered = now;
  for (const button of main.querySelectorAll("[data-alert]")) button.setAttribute("aria-pressed", wanted());
}

function ring() {
  navigator.vibrate?.([180, 90, 180]);
  beep();
  if (document.hidden) notify().catch(() => {}); // the browser may refuse, as a private window does
}

// The text is the same for every reason: a locked screen shows it to everybody.
async function notify() {
  const body = main.querySelector("[data-alert]").dataset.alert;
  await (await worker)?.showNotification(document.title, { body, tag: SETTING });
}

// Start what shows notifications, if they are allowed: phones let no page do that itself.
function prepare(permission) {
  if (permission !== "granted" || !wanted()) return;
  worker ??= navigator.serviceWorker.register(new URL("notices.js", import.meta.url));
  worker.catch(() => {});
}

function beep() {
  if (!audio || audio.state !== "running") return;
  const volume = audio.createGain();
  volume.connect(audio.destination);
  // Two soft tones, a fifth apart.
  [587, 880].forEach((pitch, number) => {
    const tone = audio.createOscillator();
    const begin = audio.currentTime + number * 0.18;
    tone.frequency.value = pitch;
    tone.connect(volume);
    tone.start(begin);
    tone.stop(begin + 0.16);
  });
  volume.gain.setValueAtTime(0.25, audio.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.5);
}

// Browsers let a page play sound only after a touch, so the first one after loading opens the audio.
document.addEventListener("pointerup", () => {
  if (!wanted() || !window.AudioContext) return;
  audio ??= new AudioContext();
  if (audio.state !== "running") audio.resume();
});

document.addEventListener("click", async (event) => {
  if (!event.target.closest("[data-alert]")) return;
  try {
    localStorage.setItem(SETTING, wanted() ? "no" : "yes");
  } catch {
    return;
  }
  alertPlayer();
  if (!wanted()) return;
  if (notifies) Notification.requestPermission().then(prepare);
  if (window.AudioContext) {
    audio ??= new AudioContext();
    await audio.resume();
  }
  ring();
});

document.addEventListener("shown", alertPlayer);
alertPlayer();
if (notifies) prepare(Notification.permission);
