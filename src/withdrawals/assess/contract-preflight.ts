/**
 * Checks before a withdrawal to a contract (C… or W…) is claimed; `withdraw` and its preview share them.
 *
 * | step                                     | a refusal here (nothing is kept, the key stays free)              |
 * |------------------------------------------|-------------------------------------------------------------------|
 * | a source that reads contracts            | 422 `destination_not_supported`; not reached: 503                 |
 * | wallet, asset and trust line             | 422 `wallet_unfunded`, 400                                        |
 * | a network that knows muxed contracts     | 422 `destination_not_supported` for W… before protocol 30. The    |
 * |                                          | signer asks again, so no source that lags makes it sign too early |
 * | the destination                          | 422 `destination_not_supported`: such a transfer would succeed,   |
 * |                                          | and the money would be gone                                       |
 * | simulation                               | 422 `transfer_would_fail`                                         |
 * | the whole declared fee                   | 422 `fee_above_limit`, `wallet_unfunded`                          |
 *
 * A transfer needs what the simulation gives, so one that cannot be simulated is refused, unlike a payment that the network
 * would fail. What happens between this and the ledger is decided by the ledger: see
 * docs/decisions/0018-contract-destinations.md.
 */
import { strict as assert } from 'node:assert';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../lib/errors.ts';
import { issuedAsset } from '../../stellar/asset.ts';
import { MUXED_CONTRACT_PROTOCOL } from '../../stellar/contract-address.ts';
import type { AccountState, ContractTransfer, SimulatedTransfer } from '../../stellar/stellar.ts';
import { assetContract } from '../../stellar/transactions/asset-contract.ts';
import type { Wallet } from '../../wallets/access.ts';
import { partOfTreasury, refusalOfTreasury } from '../channels/treasury-pays.ts';
import { leastProtocolOf, transferOf } from '../engine/contract-transfer.ts';
import { contractRateWithin, FEE_BUMP_OPERATIONS } from '../engine/fee-bid.ts';
import { contractFeeRate } from '../engine/fee-rate.ts';
import { type ContractFee, contractFee, tooDear } from './contract-cost.ts';
import { readTransferSides, reasonToRefuse, type TransferSides } from './contract-failure.ts';
import { assetNotHeld, notOnNetwork, type Payment, unfunded } from './preflight.ts';

type Order = Payment & { wallet: Wallet };

export type ContractInspection = TransferSides & {
  operation: 'contract_transfer';
  /** Null when the transfer is refused without it. */
  simulated: SimulatedTransfer | null;
  /**
   * The whole fee that the transaction would declare: for resources and for its place. Most of the first comes back, to
   * whoever has paid the fee.
   */
  fee_stroops: bigint;
  /** Null when the transfer cannot be simulated, or no envelope can declare its fee. */
  contract_fee: ContractFee | null;
  /** What the treasury pays of it; null: nothing. */
  treasury_stroops: bigint | null;
  refusals: AppError[];
};

/**
 * Returns what the network has to say about the transfer, and the reasons to refuse it, most important first. A transfer that
 * the ledger alone gives a reason to refuse is not simulated.
 * @throws NetworkUnavailable
 */
export async function inspectContractTransfer(
  deps: Pick<Deps, 'stellar' | 'config' | 'db' | 'log'>,
  order: Order,
): Promise<ContractInspection> {
  const transfer = transferOf({ operation: 'contract_transfer', ...order }, order.wallet.account);
  const sides = await readTransferSides(deps, transfer);
  const refusals = refusalsByLedger(deps, order, { sides, transfer });
  if (refusals.length > 0)
    return { operation: 'contract_transfer', ...sides, ...UNSIMULATED, simulated: null, refusals };
  return simulated(deps, order, { sides, transfer });
}

async function simulated(
  deps: Pick<Deps, 'stellar' | 'config' | 'db' | 'log'>,
  order: Order,
  { sides, transfer }: { sides: TransferSides; transfer: ContractTransfer },
): Promise<ContractInspection> {
  const [result, rate, prices] = await Promise.all([
    deps.stellar.simulateTransfer(transfer),
    contractFeeRate(deps),
    deps.stellar.contractPrices(),
  ]);
  const inspection = { operation: 'contract_transfer' as const, ...sides, simulated: result };
  if (!result.possible) {
    deps.log.info(
      { wallet_id: order.wallet.id, reason: result.reason },
      'a transfer to a contract would fail',
    );
    const why = reasonToRefuse(transfer, sides) ?? UNEXPLAINED;
    const refusal = new AppError('transfer_would_fail', why);
    return { ...inspection, ...UNSIMULATED, refusals: [refusal] };
  }
  const resource_fee = result.resource_fee_stroops;
  const rate_stroops = contractRateWithin(rate, resource_fee, deps.config);
  const fee_stroops = resource_fee + rate_stroops * FEE_BUMP_OPERATIONS;
  const is_first = sides.state?.balance === null;
  const terms = { simulated: result, rate_stroops, declared_stroops: fee_stroops, is_first };
  const fits = fee_stroops <= MOST_FEE_STROOPS;
  const contract_fee = fits ? contractFee({ config: deps.config, prices }, transfer, terms) : null;
  const dear = tooDear(deps.config, prices, resource_fee);
  const poor = refusalByFunds(deps, order, { own: sides.own as AccountState, fee_stroops });
  const refusals = dear ? [new AppError('fee_above_limit', dear)] : poor;
  const bidding = { operation: 'contract_transfer' as const, resource_fee_stroops: resource_fee };
  const of_treasury = await refusalOfTreasury(deps, bidding, rate);
  const all = of_treasury ? [...refusals, of_treasury] : refusals;
  const treasury_stroops = partOfTreasury(deps.config, bidding, { rate_stroops: rate });
  return { ...inspection, fee_stroops, contract_fee, treasury_stroops, refusals: all };
}

/** An envelope has no room for a higher fee. */
const MOST_FEE_STROOPS = 2n ** 32n - 1n;
const UNSIMULATED = { fee_stroops: 0n, contract_fee: null, treasury_stroops: null };

function refusalsByLedger(
  { config }: Pick<Deps, 'config'>,
  order: Order,
  { sides, transfer }: { sides: TransferSides; transfer: ContractTransfer },
): AppError[] {
  assert(order.memo_return === null);
  const { own, own_line, state, protocol_version } = sides;
  if (!state) return [notSupported(HORIZON_ONLY)];
  const found: AppError[] = [];
  const needed = leastProtocolOf({ operation: 'contract_transfer', ...order });
  if (protocol_version < needed) found.push(notSupported(olderNetwork(protocol_version)));
  if (!own) found.push(notOnNetwork());
  if (own && order.asset_issuer !== null && !own_line) found.push(assetNotHeld(order));
  if (transfer.to === assetContract(config.passphrase, issuedAsset(order)))
    found.push(notSupported(DESTINATION_WORDS.own));
  else if (state.contract !== 'live') found.push(notSupported(DESTINATION_WORDS[state.contract]));
  if (!state.asset_deployed) found.push(notSupported(NOT_DEPLOYED));
  return found;
}

/** Refuses a transfer when the wallet pays the fee and does not have the whole of it, beside an amount of the native asset. */
function refusalByFunds(
  { config }: Pick<Deps, 'config'>,
  order: Order,
  { own, fee_stroops }: { own: AccountState; fee_stroops: bigint },
): AppError[] {
  if (config.treasury_pays.fees) return [];
  const needed = order.asset_issuer === null ? order.amount_stroops + fee_stroops : fee_stroops;
  if (own.spendable_stroops >= needed) return [];
  const why =
    `A transfer to a contract declares a fee of ${fee_stroops} stroops of the native asset. All of it must be there ` +
    'when the transfer is sent, though most of it comes back.';
  return [unfunded(own, needed, why)];
}

function notSupported(message: string): AppError {
  const details = [{ path: '/destination', message: 'cannot be paid by this service' }];
  return new AppError('destination_not_supported', message, { details });
}

function olderNetwork(protocol_version: number): string {
  return (
    `The network is at protocol ${protocol_version}, and muxed contracts (W…, or C… with memo_id) can be paid from protocol ` +
    `${MUXED_CONTRACT_PROTOCOL} on.`
  );
}

const UNEXPLAINED = 'The network says that this transfer would fail, and does not say why.';
const HORIZON_ONLY =
  'A transfer to a contract must be simulated, and Horizon cannot do that. The operator of the service must name a Stellar RPC server ' +
  '(STELLAR_RPC_URL).';
const NOT_DEPLOYED =
  'The contract of this asset is not deployed on the network, so it cannot transfer anything.';
const DESTINATION_WORDS = {
  own: 'The destination is the contract of the asset itself. What is sent to it is lost.',
  asset: 'The destination is the contract of an asset. What is sent to it is lost.',
  absent: 'No contract exists at this address. What is sent there is lost unless somebody can deploy one.',
  archived:
    'The contract at this address is archived: nobody has used it for long. Its owner must restore it first.',
};
