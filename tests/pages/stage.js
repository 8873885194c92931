// What the tests of the stage ask of a table page, which from now on keeps what it plays, in order.
window.played = [];
{
  const stage = document.getElementById("stage");
  new MutationObserver(() => {
    if (stage.dataset.kind) played.push([stage.dataset.kind, stage.dataset.numbers]);
  }).observe(stage, { attributes: true, attributeFilter: ["data-numbers"] });
}

window.hold = () => document.getAnimations().forEach((animation) => animation.pause());

// Ends what is being played. Dice may roll.
window.goOn = () => document.getAnimations()
  .filter(({ effect }) => effect.getTiming().iterations !== Infinity)
  .forEach((animation) => animation.finish());

// Plays on to the end of each step, without its time.
window.playedAll = (count) => {
  goOn();
  return played.length >= count && !document.getElementById("stage").childElementCount;
};

// How many of these dice are shown large, which ends.
window.shownLarge = () => {
  const shown = document.querySelector(".proof").getAnimations();
  shown.forEach((animation) => animation.finish());
  return shown.length;
};

// Whether these dice move, and no others; they settle.
window.tumbling = (dice) => {
  const cubes = [...document.querySelectorAll(".tray .cube")];
  const moving = cubes.map((cube) => cube.getAnimations());
  const found = moving.flatMap((all, die) => all.length ? [die] : []);
  if (found.join() !== dice.join()) return false;
  for (const animation of moving.flat()) animation.finish();
  return true;
};

// What of any element is animated.
window.moved = () => [...new Set(document.getAnimations().flatMap(({ effect }) => {
  const moved = effect.getKeyframes().flatMap(Object.keys);
  return moved.length ? moved : ["nothing"];
}))].filter((key) => !["offset", "computedOffset", "easing", "composite"].includes(key)).sort();

window.finale = () => document.getAnimations()
  .filter(({ effect }) => effect.target.matches(".poster, .award"));

// How much of the end is seen although who shot whom is.
window.uncovered = () => [...document.querySelectorAll(".over header, .poster, .award")].filter((element) => {
  const { x, y, width, height } = element.getBoundingClientRect();
  return !document.elementFromPoint(x + width / 2, y + height / 2).closest(".shooting");
}).length;

// How far the awards stand beside the middle, twice.
window.aside = () => {
  const at = (of) => document.querySelector(of).getBoundingClientRect();
  const all = at(".awards");
  return at(".award").left + at(".award:last-child").right - all.left - all.right;
};

// Once the arrows of the first seat are emphasized: where that is, and where the seat.
window.arrowsEmphasized = () => document.querySelector(".emphasis .face.arrow")
  && [".emphasis", "[data-seat='0']"].map((each) => {
    const { x, y, width, height } = document.querySelector(each).getBoundingClientRect();
    return [x, y, width, height];
  });
