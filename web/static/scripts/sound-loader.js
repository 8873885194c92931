// Loads what lets the table page be heard (sound.js), once somebody opens its options or has turned sound on before.

const panel = document.getElementById("sound");

function load() {
  panel.removeEventListener("toggle", load);
  const script = document.createElement("script");
  script.type = "module";
  script.src = panel.dataset.script;
  script.onerror = () => panel.addEventListener("toggle", load);
  document.head.append(script);
}

panel.addEventListener("toggle", load);
try {
  if (localStorage.getItem("sound")) load();
} catch {
  // the browser stores nothing
}
