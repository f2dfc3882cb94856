/** Transactions, results and ledgers as a network would have them, made by the test. */
import { createHash } from 'node:crypto';
import { Account, Asset, Keypair, Operation, TransactionBuilder, xdr } from '@stellar/stellar-sdk';
import { headerHistoryEntryXdr, ledgerCloseMetaXdr } from '../../sandbox/rpc/ledger-close-meta.ts';
import type { LedgerTransaction } from '../../src/stellar/stellar.ts';

export const PASSPHRASE = 'Standalone Network ; February 2017';

const payer = Keypair.random();
const zeros = new Uint8Array(32);

/** A signed payment of the payer's account to itself; each sequence number is another transaction. */
export function signedPayment(sequence: number): { hash: string; envelope_xdr: string } {
  const operation = Operation.payment({
    destination: payer.publicKey(),
    asset: Asset.native(),
    amount: '1',
  });
  const built = new TransactionBuilder(new Account(payer.publicKey(), `${sequence}`), {
    fee: '100',
    networkPassphrase: PASSPHRASE,
    timebounds: { minTime: 0, maxTime: 99 },
  })
    .addOperation(operation)
    .build();
  built.sign(payer);
  return { hash: Buffer.from(built.hash()).toString('hex'), envelope_xdr: built.toXdr() };
}

/** What `find` and `readTransaction` say of such a payment that succeeded in this ledger. */
export function appliedPayment(
  { hash, envelope_xdr }: { hash: string; envelope_xdr: string },
  ledger: number,
) {
  const [envelope, result] = [envelope_xdr, succeeded].map((base64) => Buffer.from(base64, 'base64'));
  const fee = { fee_stroops: 100n, fee_account: payer.publicKey() };
  return {
    found: {
      found: 'applied',
      ledger,
      hash,
      successful: true,
      ...fee,
      failure_code: null,
      call_result: null,
    },
    transaction: { ledger, hash, envelope, result, meta: NO_META },
  };
}

export function resultXdr(result: xdr.TransactionResultResult, feeCharged = 100n): string {
  const ext = xdr.TransactionResultExt.v0();
  return new xdr.TransactionResult({ feeCharged, result, ext }).toXdr('base64');
}

const paid = xdr.OperationResult.opInner(xdr.OperationResultTr.payment(xdr.PaymentResult.paymentSuccess()));
const unpaid = xdr.OperationResult.opInner(
  xdr.OperationResultTr.payment(xdr.PaymentResult.paymentUnderfunded()),
);
/** Of a transaction with one payment. */
export const succeeded = resultXdr(xdr.TransactionResultResult.txSuccess([paid]));
export const failed = resultXdr(xdr.TransactionResultResult.txFailed([unpaid]));

/** So many different transactions of one ledger. */
export function ledgerTransactions(ledger: number, count: number): LedgerTransaction[] {
  return Array.from({ length: count }, (_, index) => {
    const { hash, envelope_xdr } = signedPayment(ledger * 1000 + index);
    const envelope = Buffer.from(envelope_xdr, 'base64');
    return { ledger, hash, envelope, result: Buffer.from(succeeded, 'base64'), meta: NO_META };
  });
}

/** TransactionMeta v0 without operations. */
const NO_META = Buffer.alloc(8);
/** LedgerEntryChanges. */
const NO_CHANGES = Buffer.alloc(4);

/** The hash that a header has of these transactions. */
export function resultSetHash(transactions: Pick<LedgerTransaction, 'hash' | 'result'>[]): Buffer {
  const results = transactions.map(
    ({ hash, result }) =>
      new xdr.TransactionResultPair({
        transactionHash: Buffer.from(hash, 'hex'),
        result: xdr.TransactionResult.fromXdr(result),
      }),
  );
  return createHash('sha256').update(new xdr.TransactionResultSet({ results }).toXdr()).digest();
}

/** A header as the network signs it. */
export function ledgerHeader(
  ledgerSeq: number,
  closeTime: bigint,
  transactions: LedgerTransaction[] = [],
  previousLedgerHash: Uint8Array = zeros,
): xdr.LedgerHeader {
  const ext = xdr.StellarValueExt.stellarValueBasic();
  return new xdr.LedgerHeader({
    ledgerVersion: 23,
    previousLedgerHash,
    scpValue: new xdr.StellarValue({ txSetHash: zeros, closeTime, upgrades: [], ext }),
    txSetResultHash: resultSetHash(transactions),
    bucketListHash: zeros,
    ledgerSeq,
    totalCoins: 1n,
    feePool: 0n,
    inflationSeq: 0,
    idPool: 0n,
    baseFee: 100,
    baseReserve: 5_000_000,
    maxTxSetSize: 1000,
    skipList: [zeros, zeros, zeros, zeros],
    ext: xdr.LedgerHeaderExt.v0(),
  });
}

/** A closed ledger; `header` is its LedgerHeader in XDR. */
export type TestLedger = {
  sequence: number;
  close_time: bigint;
  hash: Buffer;
  header: Buffer;
  transactions: LedgerTransaction[];
};

/** Ledgers 1 … `newest` with these transactions, each naming the one before it by its hash, one every five seconds. */
export function ledgerChain(
  newest: number,
  transactions: Record<number, LedgerTransaction[]> = {},
): Map<number, TestLedger> {
  const stellar = new Map<number, TestLedger>();
  let previous: Uint8Array = zeros;
  for (let sequence = 1; sequence <= newest; sequence++) {
    const [close_time, own] = [BigInt(sequence * 5), transactions[sequence] ?? []];
    const header = Buffer.from(ledgerHeader(sequence, close_time, own, previous).toXdr());
    const hash = createHash('sha256').update(header).digest();
    stellar.set(sequence, { sequence, close_time, hash, header, transactions: own });
    previous = hash;
  }
  return stellar;
}

/** What getLedgers says of one. */
export function rpcLedger(ledger: TestLedger): { sequence: number; headerXdr: string; metadataXdr: string } {
  return {
    sequence: ledger.sequence,
    headerXdr: headerHistoryEntryXdr(ledger).toString('base64'),
    metadataXdr: ledgerCloseMeta(ledger).toString('base64'),
  };
}

/** LedgerCloseMeta in XDR. */
export function ledgerCloseMeta({ header, hash, transactions }: TestLedger): Buffer {
  const stored = transactions.map(({ hash: name, envelope, result, meta }) => ({
    hash: Buffer.from(name, 'hex'),
    envelope,
    result,
    meta: meta ?? NO_META,
    fee_changes: NO_CHANGES,
    refund_changes: NO_CHANGES,
    resource_fee_charged: null,
  }));
  return ledgerCloseMetaXdr({ header, hash, base_fee: 100n }, stored);
}
