/** Records and reports adjustments. They are committed with the deposit cursor, and reported after the commit. */
import type { Trx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { newId } from '../../lib/ids.ts';
import { type Adjustment, LINE_REASONS } from '../../stellar/credits/adjustment.ts';
import { assetChanged, type OutgoingEvent } from '../../webhooks/enqueue.ts';
import { insertAdjustments, type Adjustment as RecordedAdjustment } from '../adjustments-store.ts';
import type { WalletsByAccount } from './attribute.ts';

export type InLedger<T> = T & { ledger: number; hash: string };
export type WalletAdjustment = InLedger<Adjustment> & { wallet_id: string };

/** Drops what concerns other accounts. */
export function adjustmentsOf(
  wallets: WalletsByAccount,
  adjustments: InLedger<Adjustment>[],
): WalletAdjustment[] {
  return adjustments.flatMap((adjustment) => {
    const wallet = wallets.get(adjustment.account);
    return wallet ? [{ ...adjustment, wallet_id: wallet.id }] : [];
  });
}

/** Gives the new ones. Known ones stay unchanged. */
export async function recordAdjustments(
  trx: Trx,
  adjustments: WalletAdjustment[],
  now: Date,
): Promise<RecordedAdjustment[]> {
  const rows = adjustments.map(({ account: _, hash: stellar_tx_hash, ...adjustment }) => ({
    ...adjustment,
    id: newId('adj', now),
    stellar_tx_hash,
    created_at: now,
  }));
  return insertAdjustments(trx, rows);
}

/** The events of those of them that changed a trust line. */
export function changedLines(adjustments: RecordedAdjustment[], now: Date): OutgoingEvent[] {
  return adjustments.flatMap((adjustment) => {
    const { wallet_id, asset_code, asset_issuer, reason, caused_by, stellar_tx_hash, ledger } = adjustment;
    const change = LINE_REASONS.find((each) => each === reason);
    if (change === undefined || asset_issuer === null) return [];
    const about = `${wallet_id} ${stellar_tx_hash} ${adjustment.operation_index} ${adjustment.event_index}`;
    const what = {
      wallet_id,
      asset_code,
      asset_issuer,
      change,
      failure: null,
      caused_by,
      stellar_tx_hash,
      ledger,
    };
    return [assetChanged({ ...what, about, now })];
  });
}

const MESSAGES: Record<Adjustment['reason'], string> = {
  clawback: 'An issuer has clawed back an amount from a wallet.',
  contract_transfer: 'A contract call of others has transferred an amount out of a wallet.',
  contract_burn: 'A contract call of others has burned an amount of a wallet.',
  authorized: 'A wallet may take and pay an asset again.',
  maintain_liabilities: 'A wallet can neither take nor pay an asset any more: it may only keep its offers.',
  authorization_revoked: 'A wallet can neither take nor pay an asset any more.',
};

/** Call after the commit: one line per adjustment, an error when money is gone. */
export function reportAdjustments(
  { log, metrics }: Pick<Deps, 'log' | 'metrics'>,
  adjustments: RecordedAdjustment[],
): void {
  for (const adjustment of adjustments) {
    const { id, wallet_id, asset_code, asset_issuer, reason, caused_by, ledger } = adjustment;
    const hash = adjustment.stellar_tx_hash;
    metrics.adjustments.inc({ reason });
    const amount_stroops = `${adjustment.amount_stroops}`;
    const what = { id, wallet_id, asset_code, asset_issuer, reason, amount_stroops, caused_by, hash, ledger };
    const message = `${MESSAGES[reason]} See the runbook.`;
    if (adjustment.amount_stroops > 0n) log.error(what, message);
    else log.warn(what, message);
  }
}
