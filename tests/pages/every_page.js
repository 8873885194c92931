// What every page is asked; test_every_page.py asks for each by its name.
({
  // The choices that lists cut off.
  cutOff: () => {
    const text = document.createElement("canvas").getContext("2d");
    const lists = [...document.querySelectorAll("select")].filter(list => list.checkVisibility());
    return lists.flatMap(list => {
      const { font, paddingLeft } = getComputedStyle(list);
      text.font = font;
      // An arrow stands in a list, and a gap before it.
      const room = list.clientWidth - 2 * parseFloat(paddingLeft) - 18;
      const labels = [...list.options].map(({ label }) => label);
      return labels.filter(label => text.measureText(label).width > room);
    });
  },

  // Stops what is being played at a moment, if it is of this kind.
  hold: ([kind, ms]) => {
    const stage = document.getElementById("stage");
    if (stage.dataset.kind !== kind || !stage.childElementCount) return false;
    document.getAnimations().forEach(animation => {
      animation.pause();
      animation.currentTime = ms;
    });
    return true;
  },

  // Ends what is being played, step after step, until nothing follows; dice may roll.
  ended: () => {
    const played = document.getAnimations()
      .filter(({ effect }) => effect.getTiming().iterations !== Infinity);
    played.forEach(animation => animation.finish());
    window.quiet = played.length ? 0 : (window.quiet ?? 0) + 1;
    return window.quiet > 10;
  },
})
