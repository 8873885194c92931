// Players put away the role that they are shown at the deal before a test begins.
new MutationObserver(() => {
  for (const dealt of document.querySelectorAll("dialog.dealt[open]")) {
    dealt.style.transition = "none";
    dealt.close();
  }
}).observe(document, { subtree: true, attributeFilter: ["open"] });
