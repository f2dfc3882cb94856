/** Transactions that pay, with the results, events and metas that a network has for them; made by the test. */
import { hash as digest } from 'node:crypto';
import { Address, Asset, Keypair, Operation, SorobanDataBuilder, xdr } from '@stellar/stellar-sdk';
import { accountOf, muxedAccount, parseAddress, publicKeyOf } from '../../src/stellar/address.ts';
import type { LedgerTransaction } from '../../src/stellar/stellar.ts';
import { envelopeHashes } from '../../src/stellar/transactions/envelope.ts';

export const NETWORK = 'Standalone Network ; February 2017';

/** An operation, what became of it, and what its call of a contract left behind. */
export type Step = {
  operation: xdr.Operation;
  result: xdr.OperationResultTr;
  events?: xdr.ContractEvent[];
  /** What it changed in entries. */
  changes?: xdr.LedgerEntryChange[];
  /** G…, whose entries the call may write. */
  writes?: string[];
};

export type Made = {
  steps: Step[];
  memo?: xdr.Memo;
  /** G… or M… of the transaction. */
  source?: string;
  form?: 'plain' | 'v0' | 'fee_bump';
  fee_source?: string;
  /** The results as the network has them when an operation failed; without it, all succeeded. */
  failed?: xdr.OperationResult[];
  meta?: 'v3' | 'v4' | null;
};

export const payer = Keypair.random().publicKey();
export const sponsor = Keypair.random().publicKey();
const RETURNED = xdr.ScVal.scvVoid();

/** The transaction as a ledger has it. */
export function ledgerTransaction(made: Made): LedgerTransaction {
  const envelope = envelopeOf(made);
  const hashes = envelopeHashes(NETWORK, envelope);
  return {
    ledger: 7,
    hash: hashes.hash,
    envelope: Buffer.from(envelope.toXdr()),
    result: Buffer.from(resultOf(made, hashes.inner_hash).toXdr()),
    meta: made.meta === null ? null : Buffer.from(metaOf(made).toXdr()),
  };
}

function muxed(address: string): xdr.MuxedAccount {
  const parsed = parseAddress(address);
  if (!parsed) throw new Error(`no address: ${address}`);
  return muxedAccount(parsed.public_key, parsed.muxed_id);
}

function envelopeOf({ steps, memo, source = payer, form = 'plain', fee_source = sponsor }: Made) {
  const operations = steps.map(({ operation }) => operation);
  const common = { fee: 100 * steps.length, seqNum: 5n, memo: memo ?? xdr.Memo.memoNone(), operations };
  const signatures = [new xdr.DecoratedSignature({ hint: new Uint8Array(4), signature: new Uint8Array(64) })];
  if (form === 'v0') {
    const sourceAccountEd25519 = publicKeyOf(source);
    const ext = xdr.TransactionV0Ext.v0();
    const tx = new xdr.TransactionV0({ ...common, sourceAccountEd25519, timeBounds: null, ext });
    return xdr.TransactionEnvelope.envelopeTypeTxV0(new xdr.TransactionV0Envelope({ tx, signatures }));
  }
  const sourceAccount = muxed(source);
  const [cond, ext] = [xdr.Preconditions.precondNone(), extensionOf(steps)];
  const tx = new xdr.Transaction({ ...common, sourceAccount, cond, ext });
  const v1 = new xdr.TransactionV1Envelope({ tx, signatures });
  if (form === 'plain') return xdr.TransactionEnvelope.envelopeTypeTx(v1);
  const bump = new xdr.FeeBumpTransaction({
    feeSource: muxed(fee_source),
    fee: 100_000n,
    innerTx: xdr.FeeBumpTransactionInnerTx.envelopeTypeTx(v1),
    ext: xdr.FeeBumpTransactionExt.v0(),
  });
  return xdr.TransactionEnvelope.envelopeTypeTxFeeBump(
    new xdr.FeeBumpTransactionEnvelope({ tx: bump, signatures }),
  );
}

/** A call says before it is made what it may write (footprint). */
function extensionOf(steps: Step[]): xdr.TransactionExt {
  const writes = steps.flatMap(({ writes }) => writes ?? []);
  if (!steps.some(({ events }) => events)) return xdr.TransactionExt.v0();
  const keys = writes.map((account) => {
    const accountId = xdr.PublicKey.publicKeyTypeEd25519(publicKeyOf(account));
    return xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId }));
  });
  return xdr.TransactionExt.sorobanData(new SorobanDataBuilder().setFootprint([], keys).build());
}

function resultOf({ steps, failed, form }: Made, inner_hash: string): xdr.TransactionResult {
  const results = failed ?? steps.map(({ result }) => xdr.OperationResult.opInner(result));
  const ext = xdr.TransactionResultExt.v0();
  if (form !== 'fee_bump') {
    const { txFailed, txSuccess } = xdr.TransactionResultResult;
    const result = failed ? txFailed(results) : txSuccess(results);
    return new xdr.TransactionResult({ feeCharged: 100n, result, ext });
  }
  const { txFailed, txSuccess } = xdr.InnerTransactionResultResult;
  const pair = new xdr.InnerTransactionResultPair({
    transactionHash: Buffer.from(inner_hash, 'hex'),
    result: new xdr.InnerTransactionResult({
      feeCharged: 0n,
      result: failed ? txFailed(results) : txSuccess(results),
      ext: xdr.InnerTransactionResultExt.v0(),
    }),
  });
  const { txFeeBumpInnerFailed, txFeeBumpInnerSuccess } = xdr.TransactionResultResult;
  const result = failed ? txFeeBumpInnerFailed(pair) : txFeeBumpInnerSuccess(pair);
  return new xdr.TransactionResult({ feeCharged: 100n, result, ext });
}

function metaOf({ steps, meta = 'v4' }: Made): xdr.TransactionMeta {
  const isCall = steps.some(({ events }) => events);
  const [txChangesBefore, txChangesAfter, ext] = [[], [], xdr.ExtensionPoint.v0()];
  const common = { ext, txChangesBefore, txChangesAfter };
  const sorobanExt = xdr.SorobanTransactionMetaExt.v0();
  if (meta === 'v3') {
    const operations = steps.map(({ changes = [] }) => new xdr.OperationMeta({ changes }));
    const events = steps.flatMap(({ events }) => events ?? []);
    const soroban = { ext: sorobanExt, events, returnValue: RETURNED, diagnosticEvents: [] };
    const sorobanMeta = isCall ? new xdr.SorobanTransactionMeta(soroban) : null;
    return xdr.TransactionMeta.v3(new xdr.TransactionMetaV3({ ...common, operations, sorobanMeta }));
  }
  const operations = steps.map(
    ({ events = [], changes = [] }) =>
      new xdr.OperationMetaV2({ ext: xdr.ExtensionPoint.v0(), changes, events }),
  );
  const sorobanMeta = isCall
    ? new xdr.SorobanTransactionMetaV2({ ext: sorobanExt, returnValue: RETURNED })
    : null;
  const v4 = { ...common, operations, sorobanMeta, events: [], diagnosticEvents: [] };
  return xdr.TransactionMeta.v4(new xdr.TransactionMetaV4(v4));
}

const Tr = xdr.OperationResultTr;

export function pay(destination: string, stroops: bigint, asset = Asset.native(), source?: string): Step {
  const operation = Operation.payment({ destination, asset, amount: units(stroops), ...from(source) });
  return { operation, result: Tr.payment(xdr.PaymentResult.paymentSuccess()) };
}

export function create(destination: string, stroops: bigint, source?: string): Step {
  const startingBalance = units(stroops);
  const operation = Operation.createAccount({ destination, startingBalance, ...from(source) });
  return { operation, result: Tr.createAccount(xdr.CreateAccountResult.createAccountSuccess()) };
}

/** `arrived`: what the network says came out at the end of the path. */
export function strictSend(destination: string, arrived: bigint, asset = Asset.native(), least = 1n): Step {
  const operation = Operation.pathPaymentStrictSend({
    destination,
    sendAsset: new Asset('EUR', payer),
    sendAmount: '3',
    destAsset: asset,
    destMin: units(least),
    path: [],
  });
  const success = new xdr.PathPaymentStrictSendResultSuccess({
    offers: [],
    last: last(destination, asset, arrived),
  });
  const result = xdr.PathPaymentStrictSendResult.pathPaymentStrictSendSuccess(success);
  return { operation, result: Tr.pathPaymentStrictSend(result) };
}

export function strictReceive(destination: string, stroops: bigint, asset = Asset.native()): Step {
  const operation = Operation.pathPaymentStrictReceive({
    destination,
    sendAsset: new Asset('EUR', payer),
    sendMax: '3',
    destAsset: asset,
    destAmount: units(stroops),
    path: [],
  });
  const success = new xdr.PathPaymentStrictReceiveResultSuccess({
    offers: [],
    last: last(destination, asset, stroops),
  });
  const result = xdr.PathPaymentStrictReceiveResult.pathPaymentStrictReceiveSuccess(success);
  return { operation, result: Tr.pathPaymentStrictReceive(result) };
}

function last(destination: string, asset: Asset, amount: bigint): xdr.SimplePaymentResult {
  const key = xdr.PublicKey.publicKeyTypeEd25519(publicKeyOf(parseAddress(destination)?.account ?? ''));
  return new xdr.SimplePaymentResult({ destination: key, asset: asset.toXdrObject(), amount });
}

export function merge(destination: string, balance: bigint, source?: string): Step {
  const operation = Operation.accountMerge({ destination, ...from(source) });
  return { operation, result: Tr.accountMerge(xdr.AccountMergeResult.accountMergeSuccess(balance)) };
}

/** A call whose result is the hash of these events. `args`: what it was asked for, whatever came of it. */
export function call(
  events: xdr.ContractEvent[],
  args: xdr.ScVal[] = [],
  invoked: {
    contract?: string;
    function?: string;
    auth?: xdr.SorobanAuthorizationEntry[];
    source?: string;
  } = {},
): Step {
  const contract = Asset.native().contractId(NETWORK);
  const operation = Operation.invokeContractFunction({ contract, function: 'transfer', args, ...invoked });
  const preimage = new xdr.InvokeHostFunctionSuccessPreImage({ returnValue: RETURNED, events });
  const hash = digest('sha256', preimage.toXdr(), 'buffer');
  const result = xdr.InvokeHostFunctionResult.invokeHostFunctionSuccess(hash);
  const writes = events.flatMap(({ body }) => body.v0.topics.flatMap(accountsIn));
  return { operation, result: Tr.invokeHostFunction(result), events, writes };
}

function accountsIn(topic: xdr.ScVal): string[] {
  if (topic.type !== 'scvAddress' || topic.address.type !== 'scAddressTypeAccount') return [];
  return [accountOf(topic.address.accountId.ed25519.value)];
}

export type EventParts = {
  topics: xdr.ScVal[];
  data: xdr.ScVal;
  contract: string;
  type?: xdr.ContractEventType;
};

export function contractEvent({ topics, data, contract, type = xdr.ContractEventType.contract }: EventParts) {
  return new xdr.ContractEvent({
    ext: xdr.ExtensionPoint.v0(),
    contractId: new xdr.ContractId(new Address(contract).toBuffer()),
    type,
    body: xdr.ContractEventBody.v0(new xdr.ContractEventV0({ topics, data })),
  });
}

/** What the contract of `asset` writes when it moves something (CAP-67). */
export function transferEvent(from: string, to: string, data: xdr.ScVal | bigint, asset = Asset.native()) {
  const topics = [symbol('transfer'), address(from), address(to), text(nameOf(asset))];
  return contractEvent({ topics, data: amountVal(data), contract: asset.contractId(NETWORK) });
}

export function mintEvent(to: string, data: xdr.ScVal | bigint, asset: Asset, admin?: string) {
  const who = admin ? [address(admin), address(to)] : [address(to)];
  const topics = [symbol('mint'), ...who, text(nameOf(asset))];
  return contractEvent({ topics, data: amountVal(data), contract: asset.contractId(NETWORK) });
}

export const symbol = (name: string): xdr.ScVal => xdr.ScVal.scvSymbol(name);
export const text = (value: string | Uint8Array): xdr.ScVal => xdr.ScVal.scvString(value);
export const address = (value: string): xdr.ScVal => new Address(value).toScVal();
export const u64 = (value: bigint): xdr.ScVal => xdr.ScVal.scvU64(value);

export function i128(value: bigint): xdr.ScVal {
  const parts = { hi: BigInt.asIntN(64, value >> 64n), lo: BigInt.asUintN(64, value) };
  return xdr.ScVal.scvI128(new xdr.Int128Parts(parts));
}

export function map(fields: Record<string, xdr.ScVal>): xdr.ScVal {
  return xdr.ScVal.scvMap(
    Object.entries(fields).map(([name, val]) => new xdr.ScMapEntry({ key: symbol(name), val })),
  );
}

/** The amount of a transfer to M…, which its event tells beside the amount. */
export function toMuxed(stroops: bigint, to_muxed_id: xdr.ScVal): xdr.ScVal {
  return map({ amount: i128(stroops), to_muxed_id });
}

function amountVal(data: xdr.ScVal | bigint): xdr.ScVal {
  return typeof data === 'bigint' ? i128(data) : data;
}

export function nameOf(asset: Asset): string {
  return asset.isNative() ? 'native' : `${asset.getCode()}:${asset.getIssuer()}`;
}

function units(stroops: bigint): string {
  return `${stroops / 10_000_000n}.${(stroops % 10_000_000n).toString().padStart(7, '0')}`;
}

function from(source: string | undefined): { source?: string } {
  return source === undefined ? {} : { source };
}
