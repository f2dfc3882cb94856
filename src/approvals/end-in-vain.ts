/** Which rows to read: those with an id after `after`, by their ids. */
export type PageInVain = { after: string; limit: number };

const READ_AT_ONCE = 50;

/**
 * Ends what awaits approvals in vain, each request by itself. `list` returns what does, oldest first. A request that `end` leaves as it
 * is, because members have just decided or its ledgers are unknown, keeps back nothing that comes after it.
 */
export async function endInVain<Row extends { id: string }>(
  list: (page: PageInVain) => Promise<Row[]>,
  end: (row: Row) => Promise<void>,
): Promise<void> {
  let after = '';
  for (;;) {
    const rows = await list({ after, limit: READ_AT_ONCE });
    for (const row of rows) await end(row);
    const last = rows.at(-1);
    if (!last || rows.length < READ_AT_ONCE) return;
    after = last.id;
  }
}
