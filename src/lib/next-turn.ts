/** Lets the event loop do whatever else has come meanwhile: work that is longer than a few milliseconds is cut up by it. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
