import assert from 'node:assert/strict';
import { test } from 'node:test';
import { xdr } from '@stellar/stellar-sdk/base';
import { networkId, parseTransaction } from '../ledger/transaction.ts';
import { SANDBOX_PASSPHRASE } from '../passphrase.ts';
import { operationFields } from './operation-fields.ts';
import { transactionCode } from './result-codes.ts';
import { appliedOperations, recording } from './testing/recordings.ts';
import type { Json } from './testing/samples.ts';
import { objectsIn, withoutPlace } from './testing/samples.ts';

/** Answers of Horizon 2.26.1 on stellar-core 19. */
const { path } = recording('horizon-2.26.1-live');

test('every recorded operation is shown as Horizon 2.26.1 showed it', () => {
  const answers = objectsIn(path);
  const transactions = new Map(
    answers.filter(({ result_meta_xdr }) => result_meta_xdr).map((answer) => [answer.hash, answer]),
  );
  const records = answers.filter(({ type_i }) => typeof type_i === 'number');
  for (const record of records) {
    const transaction = transactions.get(record.transaction_hash);
    assert.ok(transaction, `the transaction of operation ${record.id} is recorded`);
    assertShown(record, transaction);
  }
  assert.ok(records.length >= 20, `${records.length} compared`);
});

test('the result codes of each recorded refusal are those that Horizon gave', () => {
  const refusals = objectsIn(path).filter(({ result_codes }) => result_codes);
  for (const { result_codes, result_xdr } of refusals) {
    assert.deepEqual(transactionCode(xdr.TransactionResult.schema.decode(bytes(result_xdr))), result_codes);
  }
  assert.ok(refusals.length >= 10, `${refusals.length} compared`);
});

/** The record follows from the transaction's envelope, result and meta. */
function assertShown(record: Json, { envelope_xdr, result_xdr, result_meta_xdr, ledger }: Json): void {
  const operations = appliedOperations(
    parseTransaction(bytes(envelope_xdr), networkId(SANDBOX_PASSPHRASE)).tx,
    xdr.TransactionResult.schema.decode(bytes(result_xdr)),
    xdr.TransactionMeta.schema.decode(bytes(result_meta_xdr)),
    Number(ledger),
    SANDBOX_PASSPHRASE,
  );
  const place = Number(BigInt(`${record.id}`) & 0xfffn); // of the operation, from 1
  const at = operations[place - 1];
  assert.ok(at);
  assert.deepEqual(operationFields(at), withoutPlace(record));
}

function bytes(base64: unknown): Buffer {
  return Buffer.from(`${base64}`, 'base64');
}
