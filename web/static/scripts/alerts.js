// Makes the phone beep and vibrate when its player is needed (`data-calls`), if they turned that on.

const main = document.querySelector("main");
const SETTING = "calls";

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
  if (window.AudioContext) {
    audio ??= new AudioContext();
    await audio.resume();
  }
  ring();
});

document.addEventListener("shown", alertPlayer);
alertPlayer();
