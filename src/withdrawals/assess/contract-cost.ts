/** What a transfer to a contract costs: declared, expected and kept; and what it may declare at most. */
import type { Config } from '../../config.ts';
import type { Deps } from '../../deps.ts';
import { declaredFees, nonRefundableFee, refundableFee } from '../../stellar/contracts/contract-prices.ts';
import { resourcesOf } from '../../stellar/contracts/simulated-transfer.ts';
import type { ContractPrices, ContractTransfer, SimulatedTransfer } from '../../stellar/stellar.ts';
import { transferPreimage } from '../../stellar/transactions/asset-contract.ts';
import { contractTransferBytes } from '../../stellar/transactions/build-contract-transfer.ts';
import { FEE_BUMP_OPERATIONS, feeCeiling, feeOperations, LEAST_RATE_STROOPS } from '../engine/fee-bid.ts';

/** The fee of a transfer, for its resources and for its place in a ledger. The last two are null while the prices are unknown. */
export type ContractFee = {
  /** The most that it may become. All of it must be there when the transfer is sent. */
  declared_stroops: bigint;
  /** What is charged when the transfer succeeds: the rest comes back in the same ledger. */
  expected_stroops: bigint | null;
  /** What is charged in any case, also when the transfer fails. */
  kept_stroops: bigint | null;
};

/** A call may declare so many times what a first transfer declares: restored entries need more, and a wrong simulation too. */
const TIMES_A_FIRST_TRANSFER = 4n;
const LEAST_PLACE_STROOPS = LEAST_RATE_STROOPS * FEE_BUMP_OPERATIONS;

type Possible = Extract<SimulatedTransfer, { possible: true }>;

/**
 * Computes what the transfer declares and is expected to cost, in stroops. Without prices only the declared fee is known.
 * `is_first`: the contract has not had the asset, or its balance is archived. `declared_stroops`: the whole fee.
 */
export function contractFee(
  { config, prices }: { config: Pick<Config, 'passphrase' | 'treasury_pays'>; prices: ContractPrices | null },
  transfer: ContractTransfer,
  { simulated, rate_stroops, declared_stroops, is_first }: Terms,
): ContractFee {
  if (!prices) return { declared_stroops, expected_stroops: null, kept_stroops: null };
  const { passphrase, treasury_pays } = config;
  const { soroban_data } = simulated;
  const { restores, ...resources } = resourcesOf(soroban_data);
  const transaction_bytes = BigInt(contractTransferBytes(passphrase, { transfer, soroban_data }));
  const place = rate_stroops * feeOperations(1n, treasury_pays.fees);
  const kept = nonRefundableFee(prices, { ...resources, transaction_bytes }) + place;
  const event_bytes = BigInt(transferPreimage(passphrase, transfer).length - LENGTH_BYTES);
  const expected = kept + refundableFee(prices, event_bytes, is_first || restores);
  const within = (fee: bigint) => (fee < declared_stroops ? fee : declared_stroops);
  return { declared_stroops, expected_stroops: within(expected), kept_stroops: within(kept) };
}

type Terms = { simulated: Possible; rate_stroops: bigint; declared_stroops: bigint; is_first: boolean };

/** Of the number of events, which the network does not charge. */
const LENGTH_BYTES = 4;

type Ceilings = Pick<Config, 'fee_max_stroops' | 'contract_fee_max_stroops'>;

/**
 * Returns the fees, in stroops, that a first transfer to a contract and a later one declare at the network's prices in a quiet
 * ledger.
 */
export function feesNow(prices: ContractPrices): { first: bigint; next: bigint } {
  const { first, next } = declaredFees(prices);
  return { first: first + LEAST_PLACE_STROOPS, next: next + LEAST_PLACE_STROOPS };
}

/**
 * Says in words why no transfer that must declare this resource fee is accepted; null when it is accepted. The limit follows
 * the network's prices, up to CONTRACT_FEE_MAX_STROOPS: whoever lies about a transfer cannot make it as dear as they like.
 */
export function tooDear(
  { contract_fee_max_stroops }: Ceilings,
  prices: ContractPrices | null,
  resource_fee_stroops: bigint,
): string | null {
  const least = resource_fee_stroops + LEAST_PLACE_STROOPS;
  const now = prices && feesNow(prices);
  const told = now
    ? ` A first transfer to a contract declares ${now.first} stroops now, and a later one ${now.next}.`
    : '';
  const declares = `The transfer must declare a fee of ${least} stroops, of which most comes back. That is more than`;
  if (least > contract_fee_max_stroops)
    return (
      `${declares} the ${contract_fee_max_stroops} stroops that the operator of the service allows for one call of a contract ` +
      `(CONTRACT_FEE_MAX_STROOPS).${told}`
    );
  if (now && least > now.first * TIMES_A_FIRST_TRANSFER)
    return `${declares} ${TIMES_A_FIRST_TRANSFER} times what a first transfer costs by the network’s own settings.${told}`;
  return null;
}

/** Tells the operator whether a first transfer to a contract can be accepted at all. Never throws. */
export async function describeContractCalls({
  stellar,
  config,
}: Pick<Deps, 'stellar' | 'config'>): Promise<{ ok: boolean; message: string }> {
  if (!stellar.readsContracts)
    return { ok: true, message: 'no source can simulate: contracts are not paid (STELLAR_RPC_URL)' };
  const prices = await stellar.contractPrices();
  if (!prices) return { ok: true, message: 'no source tells what contract calls cost' };
  const { first } = feesNow(prices);
  const { contract_fee_max_stroops: most } = config;
  const costs = `a first transfer to a contract declares ${first} stroops now, and CONTRACT_FEE_MAX_STROOPS is ${most}`;
  if (first <= most) return { ok: true, message: costs };
  return { ok: false, message: `no first transfer to a contract can pass: ${costs}` };
}

/** Returns the most that the fee of a transfer becomes, fee-bumps included, in stroops. */
export function mostOf(config: Ceilings, simulated: SimulatedTransfer | null): bigint {
  return simulated?.possible
    ? feeCeiling(config, simulated.resource_fee_stroops)
    : config.contract_fee_max_stroops;
}
