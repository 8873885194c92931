// Keeps which parts of the page are laid anew.
window.laid = [];
new MutationObserver((changes) => {
  for (const { target } of changes) {
    laid.push((target.closest ? target : target.parentElement).closest(".part")?.id);
  }
}).observe(document.querySelector("main"), {
  subtree: true, childList: true, attributes: true, characterData: true,
});
