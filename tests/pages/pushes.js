// Pushes texts one after the other, and scrolls down before one of them; returns what the page shows after each.
([scrolled, first, ...pushes]) => {
  push(first);
  return pushes.map((html, number) => {
    if (number === scrolled) scrollTo(0, document.body.scrollHeight);
    push(html);
    return document.querySelector("main").innerText.replaceAll(/[.\s]/g, "");
  });
}
