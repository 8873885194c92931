// Counts how often a phone shakes and sounds, and tells when what does so is loaded.
const count = (what) => {
  const { dataset } = document.documentElement;
  dataset[what] = Number(dataset[what] ?? 0) + 1;
};
navigator.vibrate = () => count("shakes");
document.addEventListener("load", ({ target }) => {
  if (target.src?.endsWith("alerts.js")) count("loaded");
}, true);
const begin = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...when) {
  count("tones");
  return begin.apply(this, when);
};
