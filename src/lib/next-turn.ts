/** Lets the event loop do other work. Call it between parts of work that takes more than a few milliseconds. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
