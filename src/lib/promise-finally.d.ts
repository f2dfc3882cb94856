/** A promise waits for the promise that its `finally` gives back. TypeScript's own types do not say so. */
interface Promise<T> {
  finally(onfinally: () => PromiseLike<void>): Promise<T>;
}
