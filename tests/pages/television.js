// What of a television's page can't be seen whole, or read from the sofa.
() => {
  const unit = innerHeight / 720;
  const { scrollWidth, scrollHeight } = document.documentElement;
  const faults = scrollWidth > innerWidth || scrollHeight > innerHeight ? ["it scrolls"] : [];
  const name = ({ className, textContent }) => `${className}: ${textContent.trim().slice(0, 40)}`;
  const shown = (selector) => [...document.querySelectorAll(selector)]
    .map((element) => [element, element.getBoundingClientRect()])
    .filter(([element, { width, height }]) => width > 1 && height > 1 && element.checkVisibility());
  const pieces = shown(".place, .middle > :not(.heard), .telling:has(*), .invite");
  pieces.forEach(([one, box], number) => {
    if (box.left < 0 || box.top < 0 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1)
      faults.push(`beyond the edge: ${name(one)}`);
    for (const [other, its] of pieces.slice(number + 1)) {
      const across = Math.min(box.right, its.right) - Math.max(box.left, its.left);
      const down = Math.min(box.bottom, its.bottom) - Math.max(box.top, its.top);
      if (across > 1 && down > 1) faults.push(`over each other: ${name(one)} and ${name(other)}`);
    }
  });
  for (const [place, box] of shown(".place"))
    for (const part of place.querySelectorAll(".who, .counts, .life, .role, .portrait")) {
      const its = part.getBoundingClientRect();
      const beyond = Math.max(
        box.left - its.left, its.right - box.right, box.top - its.top, its.bottom - box.bottom);
      if (its.width && beyond > 1) faults.push(`out of its place: ${name(part)}`);
    }
  const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode, holder = text.parentElement;
    if (!text.data.trim() || holder.closest(".heard, [hidden]") || !holder.checkVisibility()) continue;
    const size = parseFloat(getComputedStyle(holder).fontSize);
    if (size && size < 24 * unit - 0.1) faults.push(`too small, ${size}: ${name(holder)}`);
    for (const word of size ? text.data.matchAll(/[^\s-]+/g) : []) {
      const range = document.createRange();
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (lines.size > 1) faults.push(`broken within a word: ${word[0]}`);
    }
  }
  return faults;
}
