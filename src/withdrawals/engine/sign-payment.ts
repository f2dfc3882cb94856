/** Makes the envelopes of a withdrawal: its one signed transaction, and fee-bumps of that transaction. */
import { strict as assert } from 'node:assert';
import type { Deps } from '../../deps.ts';
import { parseAddress, publicKeyOf } from '../../stellar/address.ts';
import { issuedAsset } from '../../stellar/asset.ts';
import { checkSorobanData } from '../../stellar/contracts/simulated-transfer.ts';
import { sourcesOf } from '../../stellar/transactions/applied.ts';
import { buildContractTransfer } from '../../stellar/transactions/build-contract-transfer.ts';
import { buildFeeBump, buildPayment, innerEnvelopeOf } from '../../stellar/transactions/build-payment.ts';
import { buildTrustLine, LARGEST_LIMIT_STROOPS } from '../../stellar/transactions/build-trust-line.ts';
import { networkId } from '../../stellar/transactions/envelope.ts';
import type { TransactionTerms, UnsignedTransaction } from '../../stellar/transactions/write-transaction.ts';
import type { OwnedSeed, Signer } from '../../vault/vault.ts';
import { transferOf } from './contract-transfer.ts';
import { firstBid } from './fee-bid.ts';
import { keyFingerprint } from './key-fingerprint.ts';
import { requireApproved } from './order-hash.ts';
import type { StoredKey } from './queries.ts';
import type { FeeBump, SignedEnvelope } from './store.ts';
import type { AssignedWithdrawal } from './tx-source-store.ts';

export type EnvelopeTerms = {
  /** The transaction source's sequence number + 1. */
  sequence: bigint;
  /** The fee per operation, as others bid; for contract transactions without their resources. */
  fee_rate_stroops: bigint;
  contract_rate_stroops: bigint;
  /** Whether the transaction source is a channel that pays the fee (channel-fees.ts). */
  channel_pays: boolean;
  max_time: bigint;
  signed_ledger: number;
  signed_at: Date;
};

/**
 * Signs what the withdrawal does: a payment, a transfer to a contract, or the change of a trust line. The wallet is the
 * operation's source. Throws NotApproved where members have approved another order than the row has.
 *
 * | transaction source           | the wallet pays the fee               | the treasury pays the fee (TREASURY_PAYS=fees) |
 * |------------------------------|---------------------------------------|------------------------------------------------|
 * | the wallet                   | in the transaction                    | 0 in the transaction, fee-bump by the treasury |
 * | a channel that pays the fee  | it does not: the channel pays, in the transaction                                     ||
 * | another channel              | 0 in the transaction, fee-bump by the | 0 in the transaction, fee-bump by the treasury |
 * |                              | wallet                                |                                                |
 */
export function signPayment(
  deps: Pick<Deps, 'config'>,
  signer: Signer,
  assigned: AssignedWithdrawal,
  terms: EnvelopeTerms,
): SignedEnvelope {
  requireApproved(deps.config.passphrase, assigned);
  const { id, tx_source } = assigned;
  const { sequence, fee_rate_stroops, contract_rate_stroops, channel_pays } = terms;
  const { max_time, signed_ledger, signed_at } = terms;
  const wallet = walletSigner(assigned);
  const { channel, payer, sponsor } = othersOf(deps.config, assigned);
  // Without a treasury nothing is signed: a wallet must not pay what the operator has said it does not.
  const { treasury_pays } = deps.config;
  const sponsors = treasury_pays.reserves && assigned.operation === 'add_trust_line';
  assert(assigned.treasury || !(treasury_pays.fees || sponsors), 'there is no treasury');
  assert(channel || !channel_pays, 'only a channel pays for itself');
  const is_fee_bump = !channel_pays && (channel !== null || payer !== null);
  const { operation, resource_fee_stroops } = assigned;
  const rate = operation === 'contract_transfer' ? contract_rate_stroops : fee_rate_stroops;
  const fee_bid_stroops = firstBid(deps.config, rate, { operation, resource_fee_stroops, is_fee_bump });
  const payment = unsignedOf(deps.config.passphrase, assigned, {
    tx_source_public_key: (channel ?? wallet).public_key,
    wallet_public_key: wallet.public_key,
    sequence,
    fee_stroops: is_fee_bump ? 0n : fee_bid_stroops - (resource_fee_stroops ?? 0n),
    min_time: BigInt(keyFingerprint(assigned.wallet_id, assigned.idempotency_key)),
    max_time,
    sponsor_public_key: sponsor?.public_key ?? null,
  });
  const signers = [channel, wallet, sponsor].filter((each) => each !== null);
  const signatures = signers.map((each) => ({
    public_key: each.public_key,
    signature: signer.signWith(each.sealed_seed, each, payment.hash),
  }));
  const inner = payment.envelopeWith(signatures);
  const bump = is_fee_bump ? bumpOf(deps, signer, inner, payer ?? wallet, fee_bid_stroops) : null;
  return {
    id,
    tx_source,
    operation,
    sequence,
    envelope_xdr: bump?.envelope_xdr ?? inner,
    inner_tx_hash: payment.hash.toString('hex'),
    fee_bump_hash: bump?.hash ?? null,
    fee_bid_stroops,
    max_time,
    signed_ledger,
    signed_at,
  };
}

/** Returns the seeds that `signPayment` signs with. */
export function seedsOf({ config }: Pick<Deps, 'config'>, assigned: AssignedWithdrawal): OwnedSeed[] {
  const { channel, payer, sponsor } = othersOf(config, assigned);
  return [walletSigner(assigned), channel, payer, sponsor].filter((each) => each !== null).map(ownedSeed);
}

/** Builds the one transaction of the row, by its operation. `sponsor_public_key`: of the reserve of a new trust line. */
function unsignedOf(
  passphrase: string,
  row: AssignedWithdrawal,
  { sponsor_public_key, ...common }: TransactionTerms & { sponsor_public_key: Buffer | null },
): UnsignedTransaction {
  const { operation, amount_stroops, memo_id, memo_return } = row;
  const network_id = networkId(passphrase);
  const asset = issuedAsset(row);
  switch (operation) {
    case 'add_trust_line':
    case 'remove_trust_line':
      assert(asset && amount_stroops === 0n);
      return buildTrustLine(network_id, {
        ...common,
        asset,
        sponsor_public_key,
        limit_stroops: operation === 'add_trust_line' ? LARGEST_LIMIT_STROOPS : 0n,
      });
    case 'contract_transfer': {
      const transfer = transferOf(row, row.wallet_account);
      assert(row.soroban_data !== null && memo_return === null);
      // Checked before the claim, and again here: what is signed pays this destination only, whoever wrote the row.
      const { resource_fee_stroops } = checkSorobanData(passphrase, transfer, row.soroban_data);
      assert.equal(resource_fee_stroops, row.resource_fee_stroops);
      return buildContractTransfer(passphrase, { ...common, transfer, soroban_data: row.soroban_data });
    }
    default: {
      const destination = parseAddress(row.destination);
      assert(destination);
      return buildPayment(network_id, {
        ...common,
        operation,
        asset,
        destination,
        amount_stroops,
        memo_id,
        memo_return: memo_return === null ? null : Buffer.from(memo_return, 'hex'),
      });
    }
  }
}

/**
 * Wraps the same transaction in a fee-bump. `envelope_xdr` is its newest envelope, bumped or not; `payer` has paid for
 * that one (`feeAccountOf`).
 */
export function signFeeBump(
  deps: Pick<Deps, 'config'>,
  signer: Signer,
  withdrawal: { id: string; envelope_xdr: string },
  payer: StoredKey,
  fee_bid_stroops: bigint,
): FeeBump {
  const inner = innerEnvelopeOf(withdrawal.envelope_xdr);
  const { hash, envelope_xdr } = bumpOf(deps, signer, inner, keySigner(payer), fee_bid_stroops);
  return { id: withdrawal.id, fee_bump_hash: hash, envelope_xdr, fee_bid_stroops };
}

/** Returns the seed that `signFeeBump` signs with. */
export function seedOfPayer(payer: StoredKey): OwnedSeed {
  return ownedSeed(keySigner(payer));
}

/** Reads the G… that pays the fee of this envelope of ours. */
export function feeAccountOf(envelope_xdr: string): string {
  const sources = sourcesOf(Buffer.from(envelope_xdr, 'base64'));
  assert(sources);
  return sources.fee_account;
}

/** Returns the accounts that take part beside the wallet. `payer`: of the fee; null: the wallet. `sponsor`: of the reserve of a new trust line. */
function othersOf({ treasury_pays }: Pick<Deps['config'], 'treasury_pays'>, assigned: AssignedWithdrawal) {
  const { operation, treasury } = assigned;
  const sponsors = treasury_pays.reserves && operation === 'add_trust_line';
  const paying = treasury && keySigner(treasury);
  return {
    channel: channelSigner(assigned),
    payer: treasury_pays.fees ? paying : null,
    sponsor: sponsors ? paying : null,
  };
}

type PaymentSigner = { id: string; public_key: Buffer; sealed_seed: Buffer };

function keySigner({ id, account, sealed_seed }: StoredKey): PaymentSigner {
  return { id, public_key: publicKeyOf(account), sealed_seed };
}

function walletSigner({ wallet_id, wallet_account, wallet_sealed_seed }: AssignedWithdrawal): PaymentSigner {
  return keySigner({ id: wallet_id, account: wallet_account, sealed_seed: wallet_sealed_seed });
}

function ownedSeed({ id, public_key, sealed_seed }: PaymentSigner): OwnedSeed {
  return { sealed_seed, owner: { id, public_key } };
}

function channelSigner({
  tx_source,
  channel_id,
  channel_sealed_seed,
}: AssignedWithdrawal): PaymentSigner | null {
  if (!channel_id || !channel_sealed_seed) return null;
  return keySigner({ id: channel_id, account: tx_source, sealed_seed: channel_sealed_seed });
}

function bumpOf(
  { config }: Pick<Deps, 'config'>,
  signer: Signer,
  inner_envelope_xdr: string,
  payer: PaymentSigner,
  fee_stroops: bigint,
): { hash: string; envelope_xdr: string } {
  const source_public_key = payer.public_key;
  const fee = { source_public_key, fee_stroops };
  const bump = buildFeeBump(networkId(config.passphrase), inner_envelope_xdr, fee);
  const envelope_xdr = bump.envelopeWith(signer.signWith(payer.sealed_seed, payer, bump.hash));
  return { hash: bump.hash.toString('hex'), envelope_xdr };
}
