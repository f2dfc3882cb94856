import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Keypair, Transaction } from '@stellar/stellar-sdk/base';
import { Networks, TransactionBuilder } from '@stellar/stellar-sdk/base';
import { call, fund, sandboxFor, signed } from '../testing/rpc-client.ts';
import { pay } from '../testing/test-network.ts';

/** Where the number of operations stands in a V1 envelope with time bounds and no memo. */
const OPERATION_COUNT = 76;
/** The end of an envelope with one signature: extension point, count, hint, length, signature. */
const TAIL_BYTES = 4 + 4 + 4 + 4 + 64;

const bytesOf = (transaction: Transaction) => Buffer.from(transaction.toEnvelope().toXdr());

/** The envelope with its first operation repeated: the SDK builds at most 100 operations. */
function withOneMore(envelope: Buffer): Buffer {
  const count = envelope.readUInt32BE(OPERATION_COUNT);
  const start = OPERATION_COUNT + 4;
  const length = (envelope.length - start - TAIL_BYTES) / count;
  const larger = Buffer.concat([
    envelope.subarray(0, start + length),
    envelope.subarray(start, start + length),
    envelope.subarray(start + length),
  ]);
  larger.writeUInt32BE(count + 1, OPERATION_COUNT);
  return larger;
}

test('bytes that are not an envelope, or too many, are invalid_xdr and do not reach the queue', async (t) => {
  const { sandbox, server } = await sandboxFor(t);
  const [from, to] = (await fund(sandbox, 2)) as [Keypair, Keypair];
  const answer = async (envelope: Uint8Array) => {
    const transaction = Buffer.from(envelope).toString('base64');
    const body = { jsonrpc: '2.0', id: 1, method: 'sendTransaction', params: { transaction } };
    const { json } = await call(sandbox, body);
    return json.error ?? json.result.status;
  };
  const hundred = bytesOf(
    await signed(
      server,
      from,
      Array.from({ length: 100 }, () => pay(to, 1n)),
    ),
  );
  const invalid = { code: -32602, message: 'invalid_xdr' };
  assert.deepEqual(await answer(withOneMore(hundred)), invalid);
  assert.deepEqual(await answer(Buffer.concat([hundred, Buffer.alloc(4)])), invalid);
  assert.deepEqual(await answer(hundred.subarray(0, -4)), invalid);
  const many = await signed(server, from, [pay(to, 1n)]);
  while (many.signatures.length < 20) many.sign(from);
  const [signature] = many.signatures;
  assert.ok(signature);
  const twentyOne = Buffer.concat([bytesOf(many), Buffer.from(signature.toXdr())]);
  twentyOne.writeUInt32BE(21, bytesOf(many).length - 20 * 72 - 4);
  assert.deepEqual(await answer(twentyOne), invalid);
  assert.equal(await answer(withOneMore(bytesOf(await signed(server, to, [pay(to, 1n)])))), 'ERROR');
  assert.equal(sandbox.closeLedger().transaction_count, 0);
  assert.equal(await answer(hundred), 'PENDING');
});

test('a transaction signed for another network is txBAD_AUTH', async (t) => {
  const { sandbox, server } = await sandboxFor(t);
  const [from] = (await fund(sandbox, 1)) as [Keypair];
  const account = await server.getAccount(from.publicKey());
  const builder = new TransactionBuilder(account, { fee: '100', networkPassphrase: Networks.PUBLIC });
  const foreign = builder.addOperation(pay(from, 1n)).setTimeout(0).build();
  foreign.sign(from);
  const { status, errorResult } = await server.sendTransaction(foreign);
  assert.deepEqual([status, errorResult?.result.type], ['ERROR', 'txBadAuth']);
  assert.equal(sandbox.closeLedger().transaction_count, 0);
});
