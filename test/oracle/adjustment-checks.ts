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
  return [...violations, ...left.map((key) => `LOST: the adjustment ${key}`)];
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
