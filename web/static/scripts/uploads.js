// Sends the file of a field (`data-upload`: the address) in pieces, since the table takes no large request.

import { post, say, sayUnheard } from "./page.js";

const PIECE = 16 * 1024;
const TRIES = 3;

document.addEventListener("change", async (event) => {
  const field = event.target;
  if (!field.dataset.upload || !field.files.length) return;
  field.disabled = true;
  await upload(field.dataset.upload, field.files[0], (share) => showShare(field.id, share));
  // The page may have been drawn anew meanwhile.
  const now = document.getElementById(field.id);
  if (now) Object.assign(now, { disabled: false, value: "" });
  showShare(field.id, null);
});

async function upload(address, file, progress) {
  say("");
  if (!file.size) return sayUnheard();
  for (let at = 0; at < file.size; at += PIECE) {
    progress(at / file.size);
    const answer = await send(`${address}?at=${at}&size=${file.size}`, file.slice(at, at + PIECE));
    if (!answer) return sayUnheard();
    if (!answer.ok) return say(await answer.text());
    if (answer.redirected) return location.assign(answer.url);
  }
}

// Wi-Fi may fail for a moment. A piece that did arrive is refused the second time, and the table says so.
async function send(address, piece) {
  for (let tries = 0; tries < TRIES; tries += 1) {
    try {
      return await post(address, { body: piece });
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
}

function showShare(id, share) {
  const bar = document.querySelector(`progress[data-of="${id}"]`);
  if (!bar) return;
  bar.hidden = share === null;
  if (share !== null) bar.value = share;
}
