/**
 * Pure: what contradicts "everything that others took from a wallet, and each change of what its trust lines may do, is
 * recorded once". Amounts are those of the first reader of the ledger, states those of the second.
 */
import type { AdjustmentRow } from './deposit-evidence.ts';
import type { Evidence } from './evidence.ts';

export function adjustmentViolations(evidence: Evidence): string[] {
  const left = expectedAdjustments(evidence);
  const violations = evidence.deposits.adjustments.flatMap((row) => {
    const at = left.indexOf(keyOf(row));
    if (at < 0) return [`adjustment ${row.id} is of nothing in the ledger, or is there twice: ${keyOf(row)}`];
    left.splice(at, 1);
    return [];
  });
  return [...violations, ...left.map((key) => `LOST: the adjustment ${key}`), ...sumViolations(evidence)];
}

/** Of issued assets, which pay no fees: deposits − withdrawals − adjustments = balance. */
function sumViolations({ wallets, foreign, restored, ...evidence }: Evidence): string[] {
  // What others signed with our keys, and what an older copy has forgotten, is in no row.
  if (restored || foreign.length > 0) return [];
  const sums = bookedBalances(evidence);
  return wallets.flatMap(({ id, issued }) => {
    const booked = sums.get(`${id} ${issued?.asset}`) ?? 0n;
    if (!issued || booked === issued.balance_stroops) return [];
    return [`wallet ${id} has ${issued.balance_stroops} of ${issued.asset}, by its rows ${booked}`];
  });
}

/** Keys of the rows that must be there: of ledgers that the deposit cursor has passed. */
export function expectedAdjustments({ transactions, deposits }: Evidence): string[] {
  const wallets = new Map(deposits.wallets.map(({ id, account }) => [account, id]));
  return transactions
    .filter(({ ledger }) => ledger > deposits.start_ledger && ledger <= deposits.cursor.ledger)
    .flatMap(({ hash: stellar_tx_hash, ledger, losses, line_changes }) => {
      const changes = line_changes.map(({ account, asset, after }) => ({
        ...{ account, asset, amount_stroops: 0n },
        reason: REASONS[after] ?? `flags ${after}`,
      }));
      return [...losses, ...changes].flatMap(({ account, asset, amount_stroops, reason }) => {
        const wallet_id = wallets.get(account);
        const [asset_code = '', asset_issuer = null] = asset.split(':');
        const row = { asset_code, asset_issuer, amount_stroops, reason, stellar_tx_hash, ledger };
        return wallet_id === undefined ? [] : [keyOf({ wallet_id, ...row })];
      });
    });
}

/** By the flags of the trust line. */
const REASONS = ['authorization_revoked', 'authorized', 'maintain_liabilities'];

function keyOf(row: Omit<AdjustmentRow, 'id'>): string {
  const { wallet_id, asset_code, asset_issuer, reason, amount_stroops, stellar_tx_hash, ledger } = row;
  return `${reason} of ${amount_stroops} ${asset_code}:${asset_issuer} of ${wallet_id}, ledger ${ledger}, ${stellar_tx_hash}`;
}

/** By `WALLET ASSET`: the sum over deposits − withdrawals − adjustments, for properties of every asset. */
export function bookedBalances({ rows, deposits }: Pick<Evidence, 'rows' | 'deposits'>): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  type Booked = {
    wallet_id: string;
    asset_code: string;
    asset_issuer: string | null;
    amount_stroops: bigint;
  };
  const add = (sign: bigint, { wallet_id, asset_code, asset_issuer, amount_stroops }: Booked) => {
    const key = `${wallet_id} ${asset_issuer === null ? asset_code : `${asset_code}:${asset_issuer}`}`;
    sums.set(key, (sums.get(key) ?? 0n) + sign * BigInt(amount_stroops));
  };
  for (const row of deposits.rows) add(1n, row);
  for (const row of rows) if (row.state === 'confirmed') add(-1n, row);
  for (const row of deposits.adjustments) add(-1n, row);
  return sums;
}
