/** Records and reports adjustments. They are committed with the deposit cursor, and reported after the commit. */
import { strict as assert } from 'node:assert';
import type { Trx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { newId } from '../../lib/ids.ts';
import { type Adjustment, LINE_REASONS } from '../../stellar/credits/adjustment.ts';
import type { OutgoingEvent } from '../../webhooks/events/enqueue.ts';
import { insertAdjustments, type Adjustment as RecordedAdjustment } from '../recorded/adjustment-store.ts';
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

/** Records adjustments, and returns the new ones. Known ones stay unchanged. */
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

/** Where an adjustment is in the ledger. */
type Place = Pick<RecordedAdjustment, 'wallet_id' | 'operation_index' | 'event_index'>;
/** What events tell of changed trust lines: assets, by `placeOf`. */
export type ChangedAssets = Map<string, object>;

const AUTHORIZATION_AFTER = {
  authorized: 'full',
  maintain_liabilities: 'maintain_liabilities',
  authorization_revoked: 'none',
} as const;

/** Reads the assets whose trust lines these adjustments have changed. Reads the network: do not call it in a transaction. */
export async function readChangedAssets(
  deps: Pick<Deps, 'showChangedLines'>,
  adjustments: WalletAdjustment[],
): Promise<ChangedAssets> {
  const changed = adjustments.flatMap((adjustment) => {
    const { wallet_id, asset_code, asset_issuer, ledger, hash } = adjustment;
    const change = lineChange(adjustment);
    if (!change || asset_issuer === null) return [];
    const authorization = AUTHORIZATION_AFTER[change];
    return [{ place: placeOf(adjustment, hash), wallet_id, asset_code, asset_issuer, authorization, ledger }];
  });
  if (changed.length === 0) return new Map();
  const shown = await deps.showChangedLines(changed);
  return new Map(changed.map(({ place }, index) => [place, shown[index] as object]));
}

/** Returns the events of those that changed a trust line. */
export function changedLines(
  adjustments: RecordedAdjustment[],
  assets: ChangedAssets,
  now: Date,
): OutgoingEvent[] {
  return adjustments.filter(lineChange).map((adjustment) => {
    const { wallet_id, stellar_tx_hash } = adjustment;
    const about = placeOf(adjustment, stellar_tx_hash);
    const data = assets.get(about);
    assert(data, 'the assets of all changed lines were read before the transaction');
    return { wallet_id, type: 'asset.changed', about, deposit_id: null, data, now };
  });
}

function lineChange({ reason, asset_issuer }: Pick<Adjustment, 'reason' | 'asset_issuer'>) {
  return asset_issuer === null ? undefined : LINE_REASONS.find((each) => each === reason);
}

function placeOf({ wallet_id, operation_index, event_index }: Place, hash: string): string {
  return `${wallet_id} ${hash} ${operation_index} ${event_index}`;
}

const MESSAGES: Record<Adjustment['reason'], string> = {
  clawback: 'An issuer has clawed back an amount from a wallet.',
  contract_transfer: 'A contract call of others has transferred an amount out of a wallet.',
  contract_burn: 'A contract call of others has burned an amount of a wallet.',
  authorized: 'A wallet may take and pay an asset again.',
  maintain_liabilities: 'A wallet can neither take nor pay an asset any more: it may only keep its offers.',
  authorization_revoked: 'A wallet can neither take nor pay an asset any more.',
};

/** Reports adjustments, after the commit: one line each, an error when money is gone. */
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
