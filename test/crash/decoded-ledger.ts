/** What a node tells of a ledger, taken apart by the SDK so that it can be told otherwise. */
import assert from 'node:assert/strict';
import { TransactionBuilder, xdr } from '@stellar/stellar-sdk/base';
import { SANDBOX_PASSPHRASE } from '../../sandbox/passphrase.ts';
import { envelopesOf } from '../../sandbox/testing/recorded-ledgers.ts';
import type { TestLedger } from '../support/ledger-xdr.ts';

export type DecodedTransaction = TestLedger['transactions'][number];

const bytes = (schema: { encode(value: any): Uint8Array }, value: unknown) =>
  Buffer.from(schema.encode(value));

/** One of the ledgers that getLedgers gives. */
export function decodeLedger({
  sequence,
  metadataXdr,
}: {
  sequence: number;
  metadataXdr: string;
}): TestLedger {
  const meta = xdr.LedgerCloseMeta.schema.decode(Buffer.from(metadataXdr, 'base64'));
  assert(meta.v === 2);
  const { ledgerHeader, txProcessing } = meta.v2;
  const envelopes = new Map(
    envelopesOf(meta).map((one) => named(bytes(xdr.TransactionEnvelope.schema, one))),
  );
  const transactions = txProcessing.map(({ result, txApplyProcessing }) => {
    const hash = Buffer.from(result.transactionHash).toString('hex');
    return {
      ledger: sequence,
      hash,
      envelope: envelopes.get(hash) ?? Buffer.alloc(0),
      result: bytes(xdr.TransactionResult.schema, result.result),
      meta: bytes(xdr.TransactionMeta.schema, txApplyProcessing),
    };
  });
  return {
    sequence,
    close_time: ledgerHeader.header.scpValue.closeTime,
    hash: Buffer.from(ledgerHeader.hash),
    header: bytes(xdr.LedgerHeader.schema, ledgerHeader.header),
    transactions,
  };
}

function named(envelope: Buffer): [string, Buffer] {
  const transaction = TransactionBuilder.fromXDR(envelope.toString('base64'), SANDBOX_PASSPHRASE);
  return [Buffer.from(transaction.hash()).toString('hex'), envelope];
}
