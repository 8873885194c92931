// The page's state, its messages to the player, and requests from it.

export const main = document.querySelector("main");

// The state of the table that the page shows: its version, and the number of the camera's last reading.
export function shownState() {
  return main.querySelector("[data-version]").dataset;
}

const token = document.querySelector("meta[name=page]").content;

// Send a request that proves which page it comes from.
export function post(address, options) {
  return fetch(address, { method: "POST", headers: { "X-Page": token }, ...options });
}

const MESSAGE_MS = 8000;
const message = document.getElementById("said");
let timer;

// Show a message at the foot of the page for a while; "" hides the last one.
export function say(text) {
  const line = text.trim();
  clearTimeout(timer);
  message.textContent = line && line[0].toUpperCase() + line.slice(1) + (/[.!?]$/.test(line) ? "" : ".");
  message.hidden = !line;
  if (line) timer = setTimeout(() => say(""), MESSAGE_MS);
}

// Tell the player that the table did not hear a request.
export function sayUnheard() {
  say(message.dataset.unheard);
}
