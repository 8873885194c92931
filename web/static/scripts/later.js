// Loads what a first look at a page doesn't need, each file once.

const wanted = new Set();

export function load(address, tag, attributes) {
  if (!address || wanted.has(address)) return;
  wanted.add(address);
  document.head.append(Object.assign(document.createElement(tag), attributes));
}

// Put drawings into the page.
export async function loadDrawings(address) {
  if (!address || wanted.has(address)) return;
  wanted.add(address);
  const answer = await fetch(address).catch(() => undefined);
  if (answer?.ok) document.body.insertAdjacentHTML("beforeend", await answer.text());
  else wanted.delete(address);
}

// Load a script that lies beside this one.
export function loadScript(name) {
  const src = new URL(name, import.meta.url).href;
  load(src, "script", { type: "module", src });
}
