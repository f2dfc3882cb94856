/** Transactions, results and headers as a network would have them, made by the test. */
import { createHash } from 'node:crypto';
import { Account, Asset, Keypair, Operation, TransactionBuilder, xdr } from '@stellar/stellar-sdk';
import type { NamedTransaction } from '../../src/chain/ledger-proof.ts';

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
export function ledgerTransactions(ledger: number, count: number): NamedTransaction[] {
  return Array.from({ length: count }, (_, index) => ({
    ledger,
    ...signedPayment(ledger * 1000 + index),
    result_xdr: succeeded,
  }));
}

/** The hash that a header has of these transactions. */
export function resultSetHash(transactions: Pick<NamedTransaction, 'hash' | 'result_xdr'>[]): Buffer {
  const results = transactions.map(
    ({ hash, result_xdr }) =>
      new xdr.TransactionResultPair({
        transactionHash: Buffer.from(hash, 'hex'),
        result: xdr.TransactionResult.fromXdr(result_xdr, 'base64'),
      }),
  );
  return createHash('sha256').update(new xdr.TransactionResultSet({ results }).toXdr()).digest();
}

/** A header as the network signs it. */
export function ledgerHeader(
  ledgerSeq: number,
  closeTime: bigint,
  transactions: NamedTransaction[] = [],
): xdr.LedgerHeader {
  const ext = xdr.StellarValueExt.stellarValueBasic();
  return new xdr.LedgerHeader({
    ledgerVersion: 23,
    previousLedgerHash: zeros,
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
