// Draws the steps that it reads with the scripts of the stage, whose folder and names follow.
globalThis.document = new EventTarget();
globalThis.CustomEvent = class extends Event {
  constructor(kind, { detail }) { super(kind); this.detail = detail; }
};
const from = process.argv[2];
const { draw, drawDice, lastOf, lengthOf, landingOf } = await import(`${from}acts.js`);
for (const script of process.argv.slice(3)) await import(`${from}${script}`);
let text = "";
for await (const piece of process.stdin) text += piece;
const { steps, at, trays } = JSON.parse(text);
console.log(JSON.stringify({
  drawn: steps.map((step) => [draw(step, at), draw(step, at), lengthOf([step]), landingOf(step)]),
  last: steps.map((step) => lastOf(step, at)),
  dice: trays.map(([before, after]) => drawDice(before, after)),
}));
