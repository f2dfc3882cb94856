import assert from 'node:assert/strict';
import { test } from 'node:test';
import { xdr } from '@stellar/stellar-sdk/base';
import { networkId, parseTransaction } from '../ledger/transaction.ts';
import { SANDBOX_PASSPHRASE } from '../passphrase.ts';
import type { AppliedOperation } from './applied-operation.ts';
import { operationFields } from './operation-fields.ts';
import { transactionCode } from './result-codes.ts';
import { appliedOperations, recording } from './testing/recordings.ts';
import type { Json } from './testing/samples.ts';
import { objectsIn, withoutPlace } from './testing/samples.ts';

const { path, skip } = recording('horizon-2.26.1-live');

test("an operation as Horizon 2.26.1 showed it follows from its transaction's envelope, result and meta", {
  skip,
}, () => {
  const answers = objectsIn(path);
  const transactions = answers.filter(({ result_meta_xdr }) => result_meta_xdr);
  const applied = new Map(transactions.map((answer) => [answer.hash, operationsOf(answer)]));
  const shown = answers.filter(({ type_i }) => typeof type_i === 'number');
  for (const answer of shown) {
    const place = Number(BigInt(`${answer.id}`) & 0xfffn); // of the operation, from 1
    const at = applied.get(answer.transaction_hash)?.[place - 1];
    assert.ok(at, `the transaction of operation ${answer.id} is recorded`);
    assert.deepEqual(operationFields(at), withoutPlace(answer));
  }
  assert.ok(shown.length >= 20, `${shown.length} compared`);
});

test('the result codes of each recorded refusal are those that Horizon gave', { skip }, () => {
  const refusals = objectsIn(path).filter(({ result_codes }) => result_codes);
  for (const { result_codes, result_xdr } of refusals) {
    assert.deepEqual(transactionCode(xdr.TransactionResult.schema.decode(bytes(result_xdr))), result_codes);
  }
  assert.ok(refusals.length >= 10, `${refusals.length} compared`);
});

function operationsOf({ envelope_xdr, result_xdr, result_meta_xdr, ledger }: Json): AppliedOperation[] {
  return appliedOperations(
    parseTransaction(bytes(envelope_xdr), networkId(SANDBOX_PASSPHRASE)).tx,
    xdr.TransactionResult.schema.decode(bytes(result_xdr)),
    xdr.TransactionMeta.schema.decode(bytes(result_meta_xdr)),
    Number(ledger),
    SANDBOX_PASSPHRASE,
  );
}

function bytes(base64: unknown): Buffer {
  return Buffer.from(`${base64}`, 'base64');
}
