// Keeps the event streams of a page where a test finds them (`cut_off` in browser.py).
window.streams = [];
window.EventSource = class extends EventSource {
  constructor(...of) {
    super(...of);
    streams.push(this);
  }
};
