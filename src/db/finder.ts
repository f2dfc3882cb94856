import { batched } from '../lib/batch.ts';

const MAX_IDS = 100;
/** One slow look-up must not delay all later ones. */
const PARALLEL = 4;

/**
 * Returns a function that finds the row with an id. Nothing is cached, so that a revoked row is refused at once. Look-ups of
 * the same moment share one statement, which begins after each of them was asked.
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
