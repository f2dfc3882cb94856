/** Falsifications of true evidence, one at a time: each must be found out. */
import type { Evidence, Row } from './evidence.ts';
import { serialOf } from './evidence.ts';

export type Tampering = { name: string; evidence: Evidence };

/** One at a time, each on a copy of its own. */
export function tamperingsOf(
  evidence: Evidence,
  kinds: { name: string; tamper: (copy: Evidence) => unknown }[],
): Tampering[] {
  return kinds.map(({ name, tamper }) => {
    const copy = structuredClone(evidence);
    tamper(copy);
    return { name, evidence: copy };
  });
}

export function tamperings(evidence: Evidence): Tampering[] {
  const tampering = (name: string, tamper: (copy: Evidence) => void): Tampering =>
    tamperingsOf(evidence, [{ name, tamper }])[0] as Tampering;
  const pay = (copy: Evidence, row: Row) =>
    need(copy.transactions.find(({ hash }) => hash === row.stellar_tx_hash));
  return [
    tampering('a payment made twice', (copy) => {
      copy.transactions.push({ ...pay(copy, confirmed(copy)), hash: 'f'.repeat(64) });
    }),
    tampering('a second attempt that failed', (copy) => {
      copy.transactions.push({ ...pay(copy, confirmed(copy)), hash: 'f'.repeat(64), successful: false });
    }),
    tampering('a payment that nobody ordered', (copy) => {
      const { payments } = pay(copy, confirmed(copy));
      need(payments[0]).amount_stroops += 77_777n;
    }),
    tampering('a confirmed payment that is not in the ledger', (copy) => {
      const { stellar_tx_hash } = confirmed(copy);
      copy.transactions = copy.transactions.filter(({ hash }) => hash !== stellar_tx_hash);
    }),
    tampering('a paid withdrawal called failed', (copy) => {
      confirmed(copy).status = 'failed';
    }),
    tampering('a withdrawal called failed before its time was over', (copy) => {
      const row = confirmed(copy);
      const { stellar_tx_hash } = row;
      copy.transactions = copy.transactions.filter(({ hash }) => hash !== stellar_tx_hash);
      Object.assign(row, {
        status: 'failed',
        ledger: null,
        fee_stroops: null,
        max_time: copy.latest_close_time + 1n,
      });
    }),
    tampering('a withdrawal that stays undecided', (copy) => {
      confirmed(copy).status = 'pending';
    }),
    tampering('an answer that was not true', (copy) => {
      need(copy.calls.find(({ answer }) => answer?.status === 201)?.answer?.data).ledger = 7;
    }),
    tampering('a refusal of what was carried out', (copy) => {
      const { idempotency_key } = confirmed(copy);
      for (const call of copy.calls) {
        if (call.order.key !== idempotency_key) continue;
        call.answer = { status: 503, code: 'network_unavailable', data: null };
      }
    }),
    tampering('an internal error', (copy) => {
      need(copy.calls[0]).answer = { status: 500, code: 'oops', data: null };
    }),
    tampering('a fee that is a stroop off', (copy) => {
      const row = confirmed(copy);
      row.fee_stroops = (row.fee_stroops ?? 0n) + 1n;
    }),
    tampering('a balance that is a stroop off', (copy) => {
      need(copy.wallets[0]).balance_stroops -= 1n;
    }),
    tampering('a tx_source that was not given back', (copy) => {
      need(copy.tx_sources[0]).holder = confirmed(copy).id;
    }),
    tampering('a tx_source that is out of step', (copy) => {
      const tx_source = need(copy.tx_sources.find(({ last_sequence }) => last_sequence !== null));
      tx_source.last_sequence = (tx_source.last_sequence ?? 0n) + 1n;
    }),
  ];
}

/** A withdrawal that a customer was told of. */
function confirmed({ rows, calls }: Evidence): Row {
  const told = new Set(calls.filter(({ answer }) => answer?.status === 201).map(({ order }) => order.serial));
  return need(rows.find((row) => row.state === 'confirmed' && told.has(serialOf(row.amount_stroops))));
}

export function need<T>(found: T | undefined | null): T {
  if (found === undefined || found === null)
    throw new Error('the run was too short to have anything to tamper with');
  return found;
}
