// Presses a button that shows something while it is held, and lets go as soon as it shows it.
async (button) => {
  const bubbles = { bubbles: true, isPrimary: true };
  const output = button.closest("dialog").querySelector("output");
  const shown = new Promise((show) => new MutationObserver(show).observe(output, { childList: true }));
  button.dispatchEvent(new PointerEvent("pointerdown", bubbles));
  await shown;
  button.dispatchEvent(new PointerEvent("pointerup", bubbles));
}
