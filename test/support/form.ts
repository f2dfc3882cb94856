/** How much of each promise is shown: `npm test` shows each once, `LONG_TESTS=1 npm test` in every variant. */
export const isLong = process.env.LONG_TESTS === '1';

/** All of them in the long form; in the short form those that do not say `long_only`. */
export function inThisForm<T extends { long_only?: boolean }>(all: readonly T[]): T[] {
  return all.filter(({ long_only = false }) => isLong || !long_only);
}
