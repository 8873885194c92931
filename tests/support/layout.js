// What may be wrong with how a page is laid out; layout.py asks for each by its name.
({
  // Whether a page that was opened by a link has its styles.
  isStyled: () =>
    [...document.querySelectorAll("link[rel=stylesheet]")].every(link => link.sheet),

  // How many pixels it is wider than the screen. innerWidth grows with what is too wide for a phone.
  overflow: () => document.documentElement.scrollWidth - document.documentElement.clientWidth,

  // What can be pressed but is smaller than a finger needs.
  small: () =>
    [...document.querySelectorAll("button, a, summary, label, select, .grip, input:not([type])")]
      // The field counts, not the words above it.
      .filter(element => !element.querySelector("input:not([type])"))
      // Nobody taps what is there for who hears the page, or walks it by keys.
      .filter(element => !element.matches(".aloud"))
      .map(element => [element, element.getBoundingClientRect()])
      .filter(([, { width, height }]) => width && (height < 44 || width < 44))
      .map(([element, { width, height }]) => `${width} x ${height}: ${element.outerHTML}`),

  // What is too wide, cut off or over something else with text of a size; "": of its own.
  misfits: size => {
    document.documentElement.style.fontSize = size;
    const { scrollWidth, clientWidth } = document.documentElement;
    const wide = scrollWidth - clientWidth;
    // Under an open sheet nothing can be pressed.
    const within = document.querySelector("dialog[open]") ?? document;
    const pieces = [...within.querySelectorAll("button, a, summary, label, input, select, img")]
      .map(element => [element, element.getBoundingClientRect()])
      .filter(([element, { width }]) => width > 1 && element.checkVisibility());
    // From under what stays at the edge of the screen, the rest scrolls away.
    const stays = element => getComputedStyle(element).position === "sticky"
      || element.closest(".head, .bar, .tabs");
    const name = element => element.outerHTML.slice(0, 120);
    const faults = wide > 0 ? [`${wide} pixels too wide`] : [];
    pieces.forEach(([one, box], number) => {
      if (box.left < -1 || box.right > clientWidth + 1)
        faults.push(`beyond the edge: ${name(one)}`);
      if (one.scrollWidth > one.clientWidth + 2 && getComputedStyle(one).display !== "inline")
        faults.push(`${one.scrollWidth - one.clientWidth} pixels of it cut off: ${name(one)}`);
      for (const [other, its] of pieces.slice(number + 1)) {
        const across = Math.min(box.right, its.right) - Math.max(box.left, its.left);
        const down = Math.min(box.bottom, its.bottom) - Math.max(box.top, its.top);
        if (across > 2 && down > 2 && !one.contains(other) && !other.contains(one)
            && !stays(one) && !stays(other))
          faults.push(`over each other: ${name(one)} and ${name(other)}`);
      }
    });
    return faults;
  },

  // Which of the elements that a selector finds lie over each other.
  overlaps: selector => {
    const shown = [...document.querySelectorAll(selector)]
      .map(element => [element, element.getBoundingClientRect()])
      .filter(([element, { width }]) => width && element.checkVisibility());
    return shown.flatMap(([one, box], number) =>
      shown.slice(number + 1)
        .filter(([, its]) =>
          Math.min(box.right, its.right) - Math.max(box.left, its.left) > 1
          && Math.min(box.bottom, its.bottom) - Math.max(box.top, its.top) > 1)
        .map(([other]) => `${one.className || one.textContent} and ${other.className}`));
  },

  // The words, within what a selector finds, that go on in a second line.
  broken: within => {
    const faults = [];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    while (walk.nextNode()) {
      const { currentNode: text } = walk;
      const holder = text.parentElement;
      if (!holder.checkVisibility() || !holder.closest(within)) continue;
      for (const { 0: word, index } of text.data.matchAll(/[^\s\u00ad-]+/g)) {
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const tops = [...range.getClientRects()].map(({ top }) => Math.round(top));
        if (new Set(tops).size > 1) faults.push(word);
      }
    }
    return faults;
  },
})
