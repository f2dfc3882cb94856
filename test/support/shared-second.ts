/** Ledgers that close in one second, as they may from protocol 30 on, shown of a sandbox that closes one a second. */
import type { Stellar } from '../../src/stellar/stellar.ts';

const LEDGERS = 3n;

/**
 * The network, but that the ledgers of the three seconds up to `last` have all closed at `last`. What is valid until `last`
 * may be applied in each of them, and in none after them, whichever way one looks.
 */
export function withSharedSecond(stellar: Stellar, last: bigint): Stellar {
  const shown = (close_time: bigint) =>
    close_time > last - LEDGERS && close_time < last ? last : close_time;
  const shownLatest = <T extends { latest: { close_time: bigint } }>(answer: T): T => ({
    ...answer,
    latest: { ...answer.latest, close_time: shown(answer.latest.close_time) },
  });
  return {
    ...stellar,
    async latestLedger() {
      const latest = await stellar.latestLedger();
      return { ...latest, close_time: shown(latest.close_time) };
    },
    readAccounts: async (...asked) => shownLatest(await stellar.readAccounts(...asked)),
    readSequences: async (...asked) => shownLatest(await stellar.readSequences(...asked)),
    async find(hash) {
      const found = await stellar.find(hash);
      return found.found === 'absent'
        ? { ...found, latest_close_time: shown(found.latest_close_time) }
        : found;
    },
    async readLedgersAfter(...asked) {
      const range = await stellar.readLedgersAfter(...asked);
      if (range.read !== 'ledgers') return range;
      return {
        ...range,
        close_times: range.close_times.map(shown),
        through_close_time: shown(range.through_close_time),
        newest_close_time: shown(range.newest_close_time),
      };
    },
  };
}
