// Ignores taps on what has just appeared.

export const NERVOUS_MS = 300;

// Briefly ignore taps on `element`, which has just appeared; then call `then`. The second tap of
// a double tap must not answer what has appeared under the finger.
export function ignoreTaps(element, then = () => {}) {
  element.inert = true;
  setTimeout(() => {
    element.inert = false;
    then();
  }, NERVOUS_MS);
}
