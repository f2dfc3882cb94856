/** Pure: what contradicts "each change of a trust line is made once at most, and its row is true", in words. */
import type { Evidence, TrustLineRow } from './evidence.ts';
import type { AppliedTransaction } from './ledger.ts';

const LARGEST = 2n ** 63n - 1n;

export const isSettled = (status: string) => status === 'confirmed' || status === 'failed';

export function trustLineViolations(evidence: Evidence): string[] {
  const { trust_lines, transactions, wallets, foreign, restored, deposits } = evidence;
  const accounts = new Map(wallets.map(({ id, account }) => [id, account]));
  const own = new Set(accounts.values());
  const byInner = new Map(transactions.map((one) => [one.inner_hash, one]));
  const known = new Set(trust_lines.map(({ inner_tx_hash }) => inner_tx_hash));
  const strange = transactions.filter(
    ({ ledger, hash, inner_hash, trust_lines: made }) =>
      ledger > deposits.start_ledger &&
      !foreign.includes(hash) &&
      made.some(({ source }) => own.has(source)) &&
      !known.has(inner_hash),
  );
  return [
    ...(restored ? [] : strange.map(({ hash }) => `${hash} changes a trust line and no row has it`)),
    ...trust_lines.flatMap((row) =>
      rowViolations(evidence, row, {
        account: accounts.get(row.wallet_id),
        made: row.inner_tx_hash === null ? undefined : byInner.get(row.inner_tx_hash),
      }),
    ),
  ];
}

function rowViolations(
  { latest_close_time }: Evidence,
  row: TrustLineRow,
  { account, made }: { account: string | undefined; made: AppliedTransaction | undefined },
): string[] {
  const name = `trust line ${row.id} (key ${row.idempotency_key}, ${row.status})`;
  if (!isSettled(row.status)) return [`${name} is undecided; now ${latest_close_time}`];
  if (!made) {
    if (row.status === 'confirmed') return [`${name} is not on the ledger`];
    return row.max_time === null || BigInt(row.max_time) > latest_close_time
      ? [`${name} was called failed although it can still be applied`]
      : [];
  }
  const fee = account === made.fee_account ? made.fee_stroops : 0n;
  const [change] = made.trust_lines;
  const truth = [
    made.successful ? 'confirmed' : 'failed',
    ...[made.hash, made.ledger, fee, account, change?.source, change?.asset, change?.limit_stroops],
  ];
  const limit = row.operation === 'add_trust_line' ? LARGEST : 0n;
  const told = [
    ...[row.status, row.stellar_tx_hash, row.ledger, row.fee_stroops, account, account],
    ...[`${row.asset_code}:${row.asset_issuer}`, limit],
  ];
  return told.join() === truth.join() ? [] : [`${name} says ${told.join()}, the ledger ${truth.join()}`];
}
