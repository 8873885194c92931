// Receives the page each time it changes, and reconnects when the table goes silent.

// A connection can be dead without an error, after a Wi-Fi outage or an address change. The
// table sends a heartbeat after 15 seconds without news.
const SILENT_MS = 40_000;
const RETRY_MS = 3000;
const banner = document.getElementById("lost");

let receive;
let stream;
let retry;
let silence;

// Connect; call `onPage` with the HTML of each page, and whether it ends an interruption.
export function connect(onPage) {
  receive = onPage;
  reconnect();
}

export function reconnect() {
  clearTimeout(retry);
  stream?.close();
  stream = new EventSource(document.body.dataset.live);
  restartTimer();
  stream.addEventListener("beat", restartTimer);
  stream.onmessage = (event) => {
    restartTimer();
    const interrupted = !banner.hidden;
    banner.hidden = true;
    receive(event.data, interrupted);
  };
  stream.onerror = () => {
    banner.hidden = false;
    // After a refusal (503: too many pages) the browser does not try again by itself.
    if (stream.readyState === EventSource.CLOSED) retry = setTimeout(reconnect, RETRY_MS);
  };
}

function restartTimer() {
  clearTimeout(silence);
  silence = setTimeout(() => {
    banner.hidden = false;
    reconnect();
  }, SILENT_MS);
}

// A phone that slept has missed pages, and its connection may be dead without knowing it.
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && reconnect());
addEventListener("pageshow", (event) => event.persisted && reconnect());
addEventListener("online", reconnect);
