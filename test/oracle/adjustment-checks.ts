/** Pure: what contradicts "everything that others do to a wallet is recorded, once", in words. */
import { type AdjustmentRow, assetNameOf, type Evidence } from './evidence.ts';
import type { AppliedTransaction } from './ledger.ts';

/** A row in words, without its id. */
type Expected = Pick<AdjustmentRow, 'reason' | 'amount_stroops' | 'ledger'> & {
  place: string;
  account: string;
  asset: string;
  /** Null where the second reader does not tell. */
  caused_by: string | null;
};

export function adjustmentViolations(evidence: Evidence): string[] {
  const { adjustments, wallets } = evidence;
  const accounts = new Map(wallets.map(({ id, account }) => [id, account]));
  const left = new Map(expectedAdjustments(evidence).map((one) => [`${one.place} ${one.account}`, one]));
  const found = adjustments.flatMap((row) => {
    const account = accounts.get(row.wallet_id) ?? '';
    const key = `${placeOf(row.stellar_tx_hash, row.operation_index)} ${account}`;
    const truth = left.get(key);
    if (!left.delete(key) || !truth)
      return [`adjustment ${row.id} is of nothing in the ledger, or there twice`];
    const told = textOf({ ...row, asset: assetNameOf(row) }, truth.caused_by !== null);
    const wanted = textOf(truth, truth.caused_by !== null);
    return told === wanted ? [] : [`adjustment ${row.id} says ${told}, the ledger ${wanted}`];
  });
  const lost = [...left.values()].map(
    (one) =>
      `NOT RECORDED: ${one.reason} of ${one.amount_stroops} ${one.asset} at ${one.account}: ${one.place}`,
  );
  return [...found, ...lost];
}

const REASONS = {
  full: 'authorized',
  maintain_liabilities: 'maintain_liabilities',
  none: 'authorization_revoked',
};

/** Clawbacks by the first reader of the ledger, changes of trust lines by the second. */
function expectedAdjustments({ transactions, deposits, wallets }: Evidence): Expected[] {
  const own = new Set(wallets.map(({ account }) => account));
  const { start_ledger, cursor } = deposits;
  const read = transactions.filter(({ ledger }) => ledger > start_ledger && ledger <= cursor.ledger);
  return read.flatMap(expectedOf).filter(({ account }) => own.has(account));
}

function expectedOf({ hash, ledger, successful, clawbacks, line_changes }: AppliedTransaction): Expected[] {
  if (!successful) return [];
  const losses = clawbacks.map(({ operation_index, source, ...taken }) => {
    const place = placeOf(hash, operation_index);
    return { ...taken, ledger, place, reason: 'clawback', caused_by: source };
  });
  const changes = line_changes.map(({ operation_index, account, asset, authorization }) => {
    const place = placeOf(hash, operation_index);
    const change = { account, asset, ledger, place, caused_by: null };
    return { ...change, amount_stroops: 0n, reason: REASONS[authorization] };
  });
  return [...losses, ...changes];
}

function placeOf(hash: string, operation_index: number): string {
  return `${hash} ${operation_index}`;
}

function textOf(
  { reason, amount_stroops, asset, ledger, caused_by }: Omit<Expected, 'place' | 'account'>,
  withCause: boolean,
): string {
  return [reason, amount_stroops, asset, ledger, ...(withCause ? [caused_by] : [])].join(' ');
}
