// The announcer of the table page: says sentences with a voice of the browser, in the language of the page.

// A sentence that could only begin later than this is left out.
const LATE_MS = 5000;
// How many sentences may wait.
const MOST = 3;
// A browser that never says that a sentence has ended doesn't hold up the next ones for longer.
const LONGEST_MS = 12_000;

let language;
let volume = 1;
let waiting = [];
let timers = new Set();
// Browsers forget an utterance that nothing refers to, and never say that it has ended.
let spoken;
let begun = 0;
// The voice; null if there is none, undefined before anybody wanted one.
let voice;

// Only voices of this machine: others would send what they say to a server.
function chooseVoice() {
  const fitting = speechSynthesis
    .getVoices()
    .filter(({ lang, localService }) => localService && lang.toLowerCase().startsWith(language));
  voice = fitting.find((candidate) => candidate.default) ?? fitting[0] ?? null;
}

// Choose the voice for a language; `onChange` is called whenever there may be another one, as browsers load
// theirs late.
export function prepareVoice(loudness, lang, onChange) {
  volume = loudness;
  const first = voice === undefined;
  if (!first && lang === language) return;
  language = lang;
  voice = null;
  if (!window.speechSynthesis) return;
  chooseVoice();
  if (!first) return;
  speechSynthesis.addEventListener("voiceschanged", () => {
    chooseVoice();
    onChange();
  });
}

export function isVoiceless() {
  return !voice;
}

export function say(text, delay) {
  const timer = setTimeout(() => {
    timers.delete(timer);
    waiting.push({ text, since: performance.now() });
    waiting = waiting.slice(-MOST);
    speak();
  }, delay * 1000);
  timers.add(timer);
}

// Stop, and drop what waits.
export function hush() {
  for (const timer of timers) clearTimeout(timer);
  timers.clear();
  waiting = [];
  if (!spoken) return;
  spoken = undefined;
  speechSynthesis.cancel();
}

function speak() {
  if (spoken && performance.now() - begun < LONGEST_MS) return;
  const now = performance.now();
  const next = waiting.find(({ since }) => now - since <= LATE_MS);
  waiting = next && voice ? waiting.slice(waiting.indexOf(next) + 1) : [];
  if (!next || !voice) return;
  const own = (spoken = new SpeechSynthesisUtterance(next.text));
  begun = now;
  own.voice = voice;
  own.lang = voice.lang;
  own.volume = volume;
  own.onend = own.onerror = () => {
    if (spoken !== own) return;
    spoken = undefined;
    speak();
  };
  speechSynthesis.speak(own);
}
