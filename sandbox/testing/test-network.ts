import type { FeeBumpTransaction, Transaction } from '@stellar/stellar-sdk/base';
import { Account, Asset, Keypair, Operation, TransactionBuilder, xdr } from '@stellar/stellar-sdk/base';
import { availableBalance } from '../ledger/account.ts';
import type { ClosedLedger } from '../ledger/close.ts';
import { accountKey } from '../ledger/entry.ts';
import { rootKeypair } from '../ledger/genesis.ts';
import { resultText } from '../ledger/result-text.ts';
import type { NetworkOptions } from '../network.ts';
import { Network } from '../network.ts';
import { SANDBOX_PASSPHRASE } from '../passphrase.ts';
import { LedgerStore } from '../store/ledger-store.ts';
import { ManualClock } from './manual-clock.ts';
import { sign } from './sign.ts';

export const START_S = 1_800_000_000;
export const UNIT = 10_000_000n;

type AnyTransaction = Transaction | FeeBumpTransaction;
type BuildOptions = {
  fee?: string;
  seqNum?: bigint;
  signers?: Keypair[];
  adjust?: (builder: TransactionBuilder) => void;
  /** minTime and maxTime in unix seconds, 0 = none. */
  timeBounds?: [number, number];
  passphrase?: string;
};

/** A network in memory whose ledgers close when the test closes them. */
export class TestNetwork {
  readonly clock = new ManualClock(START_S);
  readonly network: Network;
  readonly root = rootKeypair(SANDBOX_PASSPHRASE);

  constructor(options: Partial<NetworkOptions> & { store?: LedgerStore } = {}) {
    const defaults = {
      passphrase: SANDBOX_PASSPHRASE,
      close_seconds: 5,
      step_ms: 1000,
      retention_ledgers: 1000,
    };
    const store = options.store ?? new LedgerStore(null, SANDBOX_PASSPHRASE);
    this.network = new Network(store, { ...defaults, clock: this.clock, ...options });
    this.network.close();
  }

  /** Accounts with these balances in stroops, created in one ledger. */
  accounts(...balances: bigint[]): Keypair[] {
    const keys = balances.map(() => Keypair.random());
    const operations = keys.map((key, index) => create(key, balances[index] ?? 0n));
    this.applied(this.build(this.root, operations));
    return keys;
  }

  build(source: Keypair, operations: xdr.Operation[], options: BuildOptions = {}): Transaction {
    const sequence = options.seqNum ?? this.sequence(source) + 1n;
    const account = new Account(source.publicKey(), (sequence - 1n).toString());
    const fee = options.fee ?? '100';
    const networkPassphrase = options.passphrase ?? SANDBOX_PASSPHRASE;
    const builder = new TransactionBuilder(account, { fee, networkPassphrase });
    builder.setTimebounds(...(options.timeBounds ?? ([0, 0] as const)));
    for (const operation of operations) builder.addOperation(operation);
    options.adjust?.(builder);
    const transaction = builder.build();
    for (const signer of options.signers ?? [source]) sign(transaction, signer);
    return transaction;
  }

  feeBump(inner: Transaction, payer: Keypair, feePerOperation: string): FeeBumpTransaction {
    const outer = TransactionBuilder.buildFeeBumpTransaction(
      payer,
      feePerOperation,
      inner,
      SANDBOX_PASSPHRASE,
    );
    sign(outer, payer);
    return outer;
  }

  submit(transaction: AnyTransaction) {
    return this.submitXdr(transaction.toEnvelope().toXdr());
  }

  /** Status, and the reason of a refusal: `txBadSeq`, `txFailed:payment=-1`. */
  submitXdr(envelope: Uint8Array): { status: string; error: string | null; feeCharged: bigint | null } {
    const { status, error_result_xdr } = this.network.submit(envelope);
    if (error_result_xdr === null) return { status, error: null, feeCharged: null };
    const result = xdr.TransactionResult.fromXdr(error_result_xdr);
    return { status, error: resultText(result), feeCharged: result.feeCharged };
  }

  close(): ClosedLedger {
    return this.network.close();
  }

  /** Submits, closes a ledger, and returns the result in the ledger as text. */
  applied(transaction: AnyTransaction): string {
    const { status, error } = this.submit(transaction);
    if (status !== 'PENDING') throw new Error(`${status} ${error}`);
    return this.resultOf(transaction, this.close());
  }

  /** Builds, submits and closes a ledger. Returns the result as text, of a refusal or from the ledger. */
  outcome(source: Keypair, operations: xdr.Operation[], signers: Keypair[] = [source]): string {
    const transaction = this.build(source, operations, { signers });
    const { status, error } = this.submit(transaction);
    return status === 'PENDING' ? this.resultOf(transaction, this.close()) : `${error}`;
  }

  /** Like `outcome`, for preparations of a test that must succeed. */
  must(source: Keypair, operations: xdr.Operation[], signers: Keypair[] = [source]): void {
    const outcome = this.outcome(source, operations, signers);
    if (outcome !== 'txSuccess') throw new Error(outcome);
  }

  resultOf(transaction: AnyTransaction, ledger: ClosedLedger): string {
    const hash = Buffer.from(transaction.hash());
    const closed = ledger.transactions.find(({ tx }) => tx.hash.equals(hash));
    if (closed === undefined) return 'not in the ledger';
    return resultText(xdr.TransactionResult.fromXdr(closed.resultXdr));
  }

  balance(key: Keypair): bigint {
    return this.account(key).balance;
  }

  available(key: Keypair): bigint {
    return availableBalance(this.network.latest.header, this.account(key));
  }

  sequence(key: Keypair): bigint {
    return this.network.sequenceOf(key.rawPublicKey()) ?? 0n;
  }

  account(key: Keypair): xdr.AccountEntryWire {
    const data = this.network.entry(accountKey(key.rawPublicKey()))?.data;
    if (data?.type !== 0) throw new Error(`no account ${key.publicKey()}`);
    return data.account;
  }
}

export function units(stroops: bigint): string {
  return `${stroops / UNIT}.${(stroops % UNIT).toString().padStart(7, '0')}`;
}

export function create(destination: Keypair, stroops: bigint, source?: Keypair): xdr.Operation {
  return Operation.createAccount({
    destination: destination.publicKey(),
    startingBalance: units(stroops),
    ...(source ? { source: source.publicKey() } : {}),
  });
}

export function pay(destination: Keypair | string, stroops: bigint, source?: Keypair): xdr.Operation {
  return Operation.payment({
    destination: typeof destination === 'string' ? destination : destination.publicKey(),
    asset: Asset.native(),
    amount: units(stroops),
    ...(source ? { source: source.publicKey() } : {}),
  });
}

/** The operation with a body that the SDK refuses to build. */
export function changedBody<T extends xdr.OperationBodyWire['type']>(
  operation: xdr.Operation,
  type: T,
  change: (body: Extract<xdr.OperationBodyWire, { type: T }>) => Extract<xdr.OperationBodyWire, { type: T }>,
): xdr.Operation {
  const wire = operation.toXdrObject();
  if (wire.body.type !== type) throw new Error(`not an operation of type ${type}`);
  const body = change(wire.body as Extract<xdr.OperationBodyWire, { type: T }>);
  return xdr.Operation.fromXdrObject({ ...wire, body });
}

/** An operation with an amount that the SDK refuses to build. */
export function rawPayment(destination: Keypair, amount: bigint): xdr.Operation {
  return changedBody(pay(destination, 1n), 1, (body) => ({
    ...body,
    paymentOp: { ...body.paymentOp, amount },
  }));
}
