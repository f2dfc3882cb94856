import { batched } from '../lib/batch.ts';

const MAX_IDS = 100;
/** One look-up that is slow must not hold up all that come after it. */
const PARALLEL = 4;

/**
 * Gives a function to the row with an id. Nothing is remembered from one request to the next (what was revoked would
 * live on), but requests that come together are answered by one statement, which begins after each of them came.
 */
export function createFinder<Row extends { id: string }>(
  rowsOf: (ids: string[]) => Promise<Row[]>,
): (id: string) => Promise<Row | undefined> {
  return batched({
    max: MAX_IDS,
    parallel: PARALLEL,
    run: async (ids: string[]) => {
      const rows = await rowsOf([...new Set(ids)]);
      const found = new Map(rows.map((row) => [row.id, row]));
      return ids.map((id) => found.get(id));
    },
  });
}
