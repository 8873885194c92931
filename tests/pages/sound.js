// Keeps which sounds the page starts, and at what time each begins, s.
window.heard = [];
window.contexts = [];
for (const [of, name, wrapped] of [
  [window, "fetch", (fetch) => async (address, options) => {
    const answer = await fetch(address, options), read = answer.arrayBuffer.bind(answer);
    answer.arrayBuffer = async () => Object.assign(await read(), { from: String(address) });
    return answer;
  }],
  [AudioContext.prototype, "decodeAudioData", (decode) => async function (bytes) {
    const { from } = bytes;
    contexts.push(this);
    return Object.assign(await decode.call(this, bytes), { from });
  }],
  [AudioBufferSourceNode.prototype, "start", (start) => function (at) {
    heard.push([this.buffer.from.match(/(\w+)\.wav$/)[1], at]);
    start.call(this, at);
  }],
])
  of[name] = wrapped(of[name]);

// Speech in place of the browser's, which has no voices here: says nothing, keeps what was said.
window.said = [];
window.cancelled = 0;
Object.defineProperty(window, "speechSynthesis", { value: Object.assign(new EventTarget(), {
  getVoices: () => voices,
  cancel: () => (cancelled += 1),
  speak(utterance) {
    said.push([utterance.lang, utterance.text, utterance.volume]);
    if (!window.speaksOn) setTimeout(() => utterance.onend());
  },
}) });
window.SpeechSynthesisUtterance = class {
  constructor(text) {
    this.text = text;
  }
};
