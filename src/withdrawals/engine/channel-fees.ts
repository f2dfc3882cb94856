/**
 * Pure: whether a channel pays the fee of its transaction (CHANNEL_FEES=channel). A fee-bump counts as one operation more (CAP-15), so
 * a transaction that needs none takes half as many of a ledger's operations, and half the fee.
 *
 * | the channel                             | who pays the fee                                                     |
 * |-----------------------------------------|----------------------------------------------------------------------|
 * | can pay FEE_MAX_STROOPS                 | the channel, in the transaction; it pays for later fee-bumps too     |
 * | has less                                | a fee-bump of the wallet, or of the treasury (TREASURY_PAYS=fees)    |
 * | of a transfer to a contract             | the same: such a transfer may declare more than a channel holds      |
 *
 * So nothing waits for a channel that runs dry: the withdrawal only costs more. The balance is read with the sequence number that
 * the transaction is built on, from the same entry. A channel has one transaction at a time, so nothing else spends this balance.
 */
import type { Config } from '../../config.ts';
import type { AssignedWithdrawal } from './tx-source-store.ts';

type Fees = Pick<Config, 'channel_fees' | 'fee_max_stroops'>;

/** Returns true when the transaction source of this withdrawal, which can spend so much, pays the fee itself. */
export function channelPays(
  { channel_fees, fee_max_stroops }: Fees,
  { channel_id, operation }: Pick<AssignedWithdrawal, 'channel_id' | 'operation'>,
  spendable_stroops: bigint,
): boolean {
  if (channel_fees !== 'channel' || channel_id === null || operation === 'contract_transfer') return false;
  return spendable_stroops >= fee_max_stroops;
}

/** Returns what a channel holds after it was filled, in stroops: 0 where channels pay no fees. */
export function fullChannelStroops({ channel_fees, fee_max_stroops }: Fees): bigint {
  return channel_fees === 'channel' ? TIMES_FULL * fee_max_stroops : 0n;
}

/** Returns true when a channel that can spend so much is to be filled. Never where channels pay no fees. */
export function isLow(fees: Fees, spendable_stroops: bigint): boolean {
  return spendable_stroops < fullChannelStroops(fees) / 2n;
}

/**
 * In quiet ledgers a channel pays thousands of fees of 100 stroops between two fillings. While all bid the maximum it still pays
 * five.
 */
const TIMES_FULL = 10n;
