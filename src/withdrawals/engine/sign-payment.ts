/** Makes the envelopes of a withdrawal: its one signed transaction, and fee-bumps of that transaction. */
import { strict as assert } from 'node:assert';
import type { Config } from '../../config.ts';
import type { Deps } from '../../deps.ts';
import { parseAddress, publicKeyOf } from '../../stellar/address.ts';
import { issuedAsset } from '../../stellar/asset.ts';
import { checkSorobanData } from '../../stellar/contracts/simulated-transfer.ts';
import { buildContractTransfer } from '../../stellar/transactions/build-contract-transfer.ts';
import { buildFeeBump, buildPayment, innerEnvelopeOf } from '../../stellar/transactions/build-payment.ts';
import { buildTrustLine, LARGEST_LIMIT_STROOPS } from '../../stellar/transactions/build-trust-line.ts';
import { networkId } from '../../stellar/transactions/envelope.ts';
import type { TransactionTerms, UnsignedTransaction } from '../../stellar/transactions/write-transaction.ts';
import { contractRateWithin, FEE_BUMP_OPERATIONS } from './contract-fee.ts';
import { transferOf } from './contract-transfer.ts';
import { keyFingerprint } from './key-fingerprint.ts';
import type { FeeBump, SignedEnvelope } from './store.ts';
import type { AssignedWithdrawal } from './tx-source-store.ts';

export type EnvelopeTerms = {
  /** The transaction source's sequence number + 1. */
  sequence: bigint;
  /** The fee per operation, as others bid; for contract transactions without their resources. */
  fee_rate_stroops: bigint;
  contract_rate_stroops: bigint;
  max_time: bigint;
  signed_ledger: number;
  signed_at: Date;
};

/**
 * Signs what the withdrawal does: a payment, a transfer to a contract, or the change of a trust line. A channel lends its
 * sequence number only: the wallet is the operation's source and pays the fee by a fee-bump around the transaction, so a
 * channel needs no balance.
 */
export function signPayment(
  deps: Pick<Deps, 'config' | 'vault'>,
  assigned: AssignedWithdrawal,
  terms: EnvelopeTerms,
): SignedEnvelope {
  const { id, tx_source } = assigned;
  const { sequence, max_time, signed_ledger, signed_at } = terms;
  const wallet = signer(assigned.wallet_id, assigned.wallet_account, assigned.wallet_sealed_seed);
  const channel = channelSigner(assigned);
  const fee_bid_stroops = bidFor(deps.config, assigned, terms, channel ? FEE_BUMP_OPERATIONS : 1n);
  const payment = unsignedOf(deps.config.passphrase, assigned, {
    tx_source_public_key: (channel ?? wallet).public_key,
    wallet_public_key: wallet.public_key,
    sequence,
    fee_stroops: channel ? 0n : fee_bid_stroops - (assigned.resource_fee_stroops ?? 0n),
    min_time: BigInt(keyFingerprint(assigned.wallet_id, assigned.idempotency_key)),
    max_time,
  });
  const signatures = (channel ? [channel, wallet] : [wallet]).map((each) => ({
    public_key: each.public_key,
    signature: deps.vault.signWith(each.sealed_seed, each, payment.hash),
  }));
  const inner = payment.envelopeWith(signatures);
  const bump = channel ? bumpOf(deps, inner, wallet, fee_bid_stroops) : null;
  return {
    id,
    tx_source,
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

/** The whole fee: for each operation as others bid, and of a contract transfer its resource fee. */
function bidFor(
  { fee_max_stroops }: Pick<Config, 'fee_max_stroops'>,
  { operation, resource_fee_stroops }: AssignedWithdrawal,
  { fee_rate_stroops, contract_rate_stroops }: EnvelopeTerms,
  operations: bigint,
): bigint {
  if (operation !== 'contract_transfer') return fee_rate_stroops * operations;
  assert(resource_fee_stroops !== null, 'a contract transfer was simulated before it was claimed');
  const rate = contractRateWithin(contract_rate_stroops, resource_fee_stroops, fee_max_stroops);
  return rate * operations + resource_fee_stroops;
}

/** The one transaction of the row, by its operation. */
function unsignedOf(
  passphrase: string,
  row: AssignedWithdrawal,
  common: TransactionTerms,
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
        limit_stroops: operation === 'add_trust_line' ? LARGEST_LIMIT_STROOPS : 0n,
      });
    case 'contract_transfer': {
      const transfer = transferOf(row, row.wallet_account);
      assert(row.soroban_data !== null && memo_id === null && memo_return === null);
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
        ...{ operation, asset, destination, amount_stroops, memo_id },
        memo_return: memo_return === null ? null : Buffer.from(memo_return, 'hex'),
      });
    }
  }
}

/** Wraps the same transaction in a fee-bump that the wallet pays. `envelope_xdr` is its newest envelope, bumped or not. */
export function signFeeBump(
  deps: Pick<Deps, 'config' | 'vault'>,
  withdrawal: { id: string; wallet_id: string; envelope_xdr: string },
  wallet: { account: string; sealed_seed: Buffer },
  fee_bid_stroops: bigint,
): FeeBump {
  const inner = innerEnvelopeOf(withdrawal.envelope_xdr);
  const payer = signer(withdrawal.wallet_id, wallet.account, wallet.sealed_seed);
  const { hash, envelope_xdr } = bumpOf(deps, inner, payer, fee_bid_stroops);
  return { id: withdrawal.id, fee_bump_hash: hash, envelope_xdr, fee_bid_stroops };
}

type PaymentSigner = { id: string; public_key: Buffer; sealed_seed: Buffer };

function signer(id: string, account: string, sealed_seed: Buffer): PaymentSigner {
  return { id, public_key: publicKeyOf(account), sealed_seed };
}

function channelSigner({
  tx_source,
  channel_id,
  channel_sealed_seed,
}: AssignedWithdrawal): PaymentSigner | null {
  return channel_id && channel_sealed_seed ? signer(channel_id, tx_source, channel_sealed_seed) : null;
}

function bumpOf(
  { config, vault }: Pick<Deps, 'config' | 'vault'>,
  inner_envelope_xdr: string,
  wallet: PaymentSigner,
  fee_stroops: bigint,
): { hash: string; envelope_xdr: string } {
  const source_public_key = wallet.public_key;
  const fee = { source_public_key, fee_stroops };
  const bump = buildFeeBump(networkId(config.passphrase), inner_envelope_xdr, fee);
  const envelope_xdr = bump.envelopeWith(vault.signWith(wallet.sealed_seed, wallet, bump.hash));
  return { hash: bump.hash.toString('hex'), envelope_xdr };
}
