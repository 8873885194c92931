// Keeps the event streams of a page where a test finds them (`cut_off` in browser.py).
window.streams = [];
window.EventSource = class extends EventSource {
  constructor(...of) {
    super(...of);
    streams.push(this);
  }
};

// Brings a page as the table would, also where the table was cut off.
window.push = (html) => {
  const data = `<div data-version="9">${html}</div>`;
  streams.at(-1).dispatchEvent(new MessageEvent("message", { data }));
};
