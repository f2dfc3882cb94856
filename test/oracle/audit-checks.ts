/** Pure: what contradicts "each request of a withdrawal is in the audit log once, and the log is whole", in words. */
import type { Evidence } from './evidence.ts';

export function auditViolations({ audit, rows, trust_lines }: Evidence): string[] {
  const orders = new Map([...rows, ...trust_lines].map((row) => [row.id, row]));
  const told = Map.groupBy(audit.requested, ({ withdrawal_id }) => withdrawal_id);
  return [
    ...audit.faults.map((fault) => `the audit log: ${fault}`),
    ...[...told].flatMap(([id, entries]) => {
      const row = orders.get(id);
      if (!row) return [`the audit log has a request of ${id}, which has no row`];
      if (entries.length > 1) return [`the audit log has ${entries.length} requests of ${id}`];
      const { destination = null, amount_stroops = null } = entries[0] ?? {};
      // An entry about a trust line tells neither.
      const same =
        amount_stroops === null ||
        ('destination' in row &&
          destination === row.destination &&
          amount_stroops === BigInt(row.amount_stroops));
      return same ? [] : [`the audit log says that ${id} pays ${amount_stroops} to ${destination}`];
    }),
    ...(audit.complete
      ? [...orders.keys()].filter((id) => !told.has(id)).map((id) => `the audit log has no request of ${id}`)
      : []),
  ];
}
