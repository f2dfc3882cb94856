import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk/base';
import type { Sandbox } from '../launch.ts';
import { eventually } from '../testing/eventually.ts';
import { envelopeOf, faultsOf, faultySandboxFor, hashOf, postForm } from '../testing/faulty-sandbox.ts';
import { call, closeUntilAnswered, FRIENDBOT_STROOPS } from '../testing/rpc-client.ts';

const rpc = (method: string, params?: unknown) => ({ jsonrpc: '2.0', id: 1, method, params });

function post(sandbox: Sandbox, body: object, signal?: AbortSignal): Promise<Response> {
  return fetch(sandbox.rpc_url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
}

const untilHeld = (sandbox: Sandbox, count: number) =>
  eventually(`${count} connections held`, () => faultsOf(sandbox).held.count === count);
const untilStruck = (sandbox: Sandbox) =>
  eventually('the fault strikes', () => faultsOf(sandbox).list().at(-1)?.struck === 1);

describe('no_answer', () => {
  test('takes no effect, and says nothing until it is released', async (t) => {
    const { sandbox, faults, payment, to, balanceOf } = await faultySandboxFor(t);
    const transaction = envelopeOf(await payment());
    faults.add({ on: 'sendTransaction', kind: 'no_answer' });
    const sent = post(sandbox, rpc('sendTransaction', { transaction }));
    await untilHeld(sandbox, 1);
    sandbox.closeLedger();
    assert.equal(await balanceOf(to), FRIENDBOT_STROOPS);
    assert.equal(faults.release(), 1);
    await assert.rejects(sent);
    assert.equal(faults.held.count, 0);
    assert.equal(
      (await call(sandbox, rpc('sendTransaction', { transaction }))).json.result.status,
      'PENDING',
    );
  });

  test('takes effect all the same when told so: exactly one payment is applied', async (t) => {
    const { sandbox, server, faults, payment, to, balanceOf } = await faultySandboxFor(t);
    const transaction = await payment(5n);
    faults.add({ on: 'sendTransaction', kind: 'no_answer', effect: 'before' });
    const sent = post(sandbox, rpc('sendTransaction', { transaction: envelopeOf(transaction) }));
    await untilHeld(sandbox, 1);
    assert.equal((await server.sendTransaction(transaction)).status, 'DUPLICATE');
    sandbox.closeLedger();
    assert.equal(await balanceOf(to), FRIENDBOT_STROOPS + 5n);
    faults.release();
    await assert.rejects(sent);
  });

  test('frees the connection when the client gives up', async (t) => {
    const { sandbox, faults } = await faultySandboxFor(t);
    faults.add({ on: 'getHealth', kind: 'no_answer' });
    const client = new AbortController();
    const asked = post(sandbox, rpc('getHealth'), client.signal);
    await untilHeld(sandbox, 1);
    client.abort();
    await assert.rejects(asked, { name: 'AbortError' });
    await untilHeld(sandbox, 0);
  });

  test('does not keep the sandbox from stopping', async (t) => {
    const { sandbox, faults } = await faultySandboxFor(t);
    faults.add({ on: '*', kind: 'no_answer', times: null });
    const asked = [post(sandbox, rpc('getHealth')), fetch(`${sandbox.friendbot_url}?addr=x`)];
    const answers = Promise.allSettled(asked);
    await untilHeld(sandbox, 2);
    await sandbox.stop();
    for (const { status } of await answers) assert.equal(status, 'rejected');
  });
});

describe('answer_lost', () => {
  test('resets the connection after the transaction was queued: exactly one payment is applied', async (t) => {
    const { sandbox, server, faults, payment, to, balanceOf } = await faultySandboxFor(t);
    const transaction = await payment(7n);
    faults.add({ on: 'sendTransaction', kind: 'answer_lost' });
    const sent = post(sandbox, rpc('sendTransaction', { transaction: envelopeOf(transaction) }));
    await assert.rejects(sent, (error: Error) => (error.cause as { code?: string }).code === 'ECONNRESET');
    assert.equal((await server.sendTransaction(transaction)).status, 'DUPLICATE');
    const { sequence } = sandbox.closeLedger();
    const found = await server.getTransaction(hashOf(transaction));
    assert.ok(found.status === 'SUCCESS' && found.ledger === sequence);
    sandbox.closeLedger();
    assert.equal(await balanceOf(to), FRIENDBOT_STROOPS + 7n);
  });

  test("reaches the SDK's client as an error, and the request takes effect", async (t) => {
    const { sandbox, server, faults, payment } = await faultySandboxFor(t);
    const transaction = await payment();
    faults.add({ on: 'sendTransaction', kind: 'answer_lost' });
    await assert.rejects(server.sendTransaction(transaction));
    sandbox.closeLedger();
    assert.equal((await server.getTransaction(hashOf(transaction))).status, 'SUCCESS');
  });

  test('on Horizon happens as soon as the network has the transaction, before any ledger', async (t) => {
    const { sandbox, server, faults, payment } = await faultySandboxFor(t);
    const transaction = await payment();
    faults.add({ on: 'horizon:submit', kind: 'answer_lost' });
    await assert.rejects(postForm(sandbox, '/transactions', { tx: envelopeOf(transaction) }));
    assert.equal((await server.getTransaction(hashOf(transaction))).status, 'NOT_FOUND');
    sandbox.closeLedger();
    assert.equal((await server.getTransaction(hashOf(transaction))).status, 'SUCCESS');
  });

  test('on friendbot leaves an account that was made', async (t) => {
    const { sandbox, server, faults } = await faultySandboxFor(t);
    const address = Keypair.random().publicKey();
    faults.add({ on: 'friendbot', kind: 'answer_lost' });
    await assert.rejects(closeUntilAnswered(sandbox, fetch(`${sandbox.friendbot_url}?addr=${address}`)));
    assert.equal((await server.getAccountEntry(address)).balance, FRIENDBOT_STROOPS);
  });
});

describe('delay', () => {
  for (const effect of ['before', 'after'] as const) {
    test(`by the clock of the sandbox, with the effect ${effect} it`, async (t) => {
      const { sandbox, faults, clock, payment, to, balanceOf } = await faultySandboxFor(t);
      const transaction = envelopeOf(await payment());
      faults.add({ on: 'sendTransaction', kind: 'delay', delay_ms: 20_000, effect });
      let answered = false;
      const sent = call(sandbox, rpc('sendTransaction', { transaction })).finally(() => {
        answered = true;
      });
      await untilStruck(sandbox);
      await clock.advance(19_999);
      sandbox.closeLedger();
      assert.equal(await balanceOf(to), FRIENDBOT_STROOPS + (effect === 'before' ? 1n : 0n));
      assert.equal(answered, false);
      await clock.advance(1);
      assert.equal((await sent).json.result.status, 'PENDING');
      sandbox.closeLedger();
      assert.equal(await balanceOf(to), FRIENDBOT_STROOPS + 1n);
    });
  }

  test('does not keep the sandbox from stopping', async (t) => {
    const { sandbox, faults } = await faultySandboxFor(t);
    faults.add({ on: 'getHealth', kind: 'delay', delay_ms: 3_600_000 });
    const asked = call(sandbox, rpc('getHealth')).catch(() => null);
    await untilStruck(sandbox);
    await sandbox.stop();
    await asked;
  });

  test('of a request to friendbot does not either, though nothing will be funded any more', async (t) => {
    const { sandbox, faults } = await faultySandboxFor(t);
    faults.add({ on: 'friendbot', kind: 'delay', delay_ms: 3_600_000 });
    const asked = fetch(`${sandbox.friendbot_url}?addr=${Keypair.random().publicKey()}`);
    await untilStruck(sandbox);
    await sandbox.stop();
    assert.equal((await asked).status, 503);
  });
});

describe('truncated', () => {
  test('gives half of the answer and breaks the connection where the rest should come', async (t) => {
    const { sandbox, faults } = await faultySandboxFor(t);
    faults.add({ on: 'getNetwork', kind: 'truncated' });
    const response = await post(sandbox, rpc('getNetwork'));
    const announced = Number(response.headers.get('content-length'));
    const chunks: Buffer[] = [];
    await assert.rejects(async () => {
      for await (const chunk of response.body ?? []) chunks.push(Buffer.from(chunk));
    });
    const came = Buffer.concat(chunks).toString();
    assert.equal(came.length, Math.floor(announced / 2));
    assert.ok(came.startsWith('{"jsonrpc":"2.0"'));
    assert.throws(() => JSON.parse(came));
    assert.ok(JSON.parse((await call(sandbox, rpc('getNetwork'))).text).result.passphrase);
  });

  test('or is valid HTTP with broken JSON', async (t) => {
    const { sandbox, faults, payment, to, balanceOf } = await faultySandboxFor(t);
    const transaction = envelopeOf(await payment());
    faults.add({ on: 'sendTransaction', kind: 'truncated', content_length: 'half' });
    const response = await post(sandbox, rpc('sendTransaction', { transaction }));
    const text = await response.text();
    assert.equal(response.status, 200);
    assert.equal(Number(response.headers.get('content-length')), text.length);
    assert.throws(() => JSON.parse(text));
    sandbox.closeLedger();
    assert.equal(await balanceOf(to), FRIENDBOT_STROOPS + 1n);
  });
});
