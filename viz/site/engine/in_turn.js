// One thing at a time: onnxruntime-web has one stack for the arguments of all runs, and one place for all weights.

const LONGEST = 30; // milliseconds without a break for the page

/** Of what a newer request has overtaken. */
export class OvertakenError extends Error {}

/** @type {Promise<unknown>} */
let last = Promise.resolve();
let rested = 0;

/**
 * Does `work` after all that was asked for before, unless it is overtaken by then: the promise has an OvertakenError.
 *
 * @template T
 * @param {() => T | Promise<T>} work
 * @param {() => boolean} [isLast] whether nothing newer is asked for
 * @returns {Promise<T>}
 */
export function inTurn(work, isLast = () => true) {
  const done = last.then(async () => {
    await rest();
    if (!isLast()) {
      throw new OvertakenError();
    }
    return work();
  });
  last = done.catch(() => {});
  return done;
}

// A run never returns to the browser by itself: without a break, no key is heard and nothing is painted.
async function rest() {
  if (performance.now() - rested < LONGEST) {
    return;
  }
  // Not a timer, which a page in the background waits for a second.
  const { port1, port2 } = new MessageChannel();
  await new Promise((resolve) => {
    port1.onmessage = resolve;
    port2.postMessage(null);
  });
  port1.close();
  rested = performance.now();
}
