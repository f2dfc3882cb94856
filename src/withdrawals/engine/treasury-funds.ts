/**
 * How many envelopes the treasury can pay now. A node takes a transaction into its queue only while the fee account can pay the
 * bids of all its transactions there (stellar-core TransactionQueue::canAdd). An envelope beyond that would be refused until it
 * expires, so its row is not signed: it keeps its transaction source and is tried again.
 *
 * The figures may be a ledger old. Then an envelope may be refused after all, and is sent again after each ledger.
 *
 * A reserve that the treasury cannot pay holds nothing back: the ledger answers op_low_reserve. A trust line that waited for it
 * would keep the transaction source of its wallet, and all payments of the wallet with it.
 */
import type { Deps } from '../../deps.ts';
import { firstBid } from './fee-bid.ts';
import { openBids } from './queries.ts';
import type { EnvelopeTerms } from './sign-payment.ts';
import { type AssignedWithdrawal, recordBlockedReason } from './tx-source-store.ts';

export const TREASURY_EMPTY =
  'The treasury, which pays for the wallets (TREASURY_PAYS), has too little: withdrawals wait until it is paid into. ' +
  'See "teller treasury" and the runbook.';

/**
 * Returns those of `ready` that can be paid, in their order. The others get a blocked reason. `channel_pays`: ids of those that cost
 * the treasury nothing.
 * @throws NetworkUnavailable
 */
export async function withinTreasuryFunds(
  deps: Deps,
  ready: AssignedWithdrawal[],
  {
    fee_rate_stroops,
    contract_rate_stroops,
  }: Pick<EnvelopeTerms, 'fee_rate_stroops' | 'contract_rate_stroops'>,
  channel_pays: ReadonlySet<string>,
): Promise<AssignedWithdrawal[]> {
  const { treasury_pays } = deps.config;
  const treasury = ready[0]?.treasury;
  if (!treasury || !treasury_pays.fees) return ready;
  const [{ accounts }, bids_stroops] = await Promise.all([
    deps.stellar.readAccounts([treasury.account]),
    openBids(deps.db),
  ]);
  let left_stroops = (accounts.get(treasury.account)?.spendable_stroops ?? 0n) - bids_stroops;
  const payable: AssignedWithdrawal[] = [];
  const waiting: AssignedWithdrawal[] = [];
  for (const row of ready) {
    if (channel_pays.has(row.id)) {
      payable.push(row);
      continue;
    }
    const { operation, resource_fee_stroops } = row;
    const rate = operation === 'contract_transfer' ? contract_rate_stroops : fee_rate_stroops;
    const bid_stroops = firstBid(deps.config, rate, { operation, resource_fee_stroops, is_fee_bump: true });
    const isPayable = bid_stroops <= left_stroops;
    if (isPayable) left_stroops -= bid_stroops;
    (isPayable ? payable : waiting).push(row);
  }
  await noteWaiting(deps, waiting);
  return payable;
}

/** Logs waiting rows once: a row that is tried again has the reason already. */
async function noteWaiting(deps: Deps, waiting: AssignedWithdrawal[]): Promise<void> {
  let noted = 0;
  for (const { id, tx_source, blocked_reason } of waiting) {
    if (blocked_reason === TREASURY_EMPTY) continue;
    const reason = { account: tx_source, withdrawal_id: id, blocked_reason: TREASURY_EMPTY };
    if (await recordBlockedReason(deps.db, reason)) noted++;
  }
  if (noted > 0) deps.log.error({ withdrawals: noted }, TREASURY_EMPTY);
}
