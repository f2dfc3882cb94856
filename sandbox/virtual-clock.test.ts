import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Account, Operation, TransactionBuilder } from '@stellar/stellar-sdk/base';
import { rootKeypair } from './ledger/genesis.ts';
import type { Network } from './network.ts';
import { SANDBOX_PASSPHRASE } from './passphrase.ts';
import { sandboxFor } from './testing/rpc-client.ts';
import { seededKeypair, VIRTUAL_START_S, virtualNetwork } from './virtual-clock.ts';

/** A small history from a seed: accounts created in one ledger, followed by an empty ledger. */
function simulate(seed: string): { network: Network; hashes: string[] } {
  const { network } = virtualNetwork();
  const hashes = [network.close().hash.toString('hex')];
  const root = rootKeypair(SANDBOX_PASSPHRASE);
  const source = new Account(root.publicKey(), '0');
  const builder = new TransactionBuilder(source, { fee: '100', networkPassphrase: SANDBOX_PASSPHRASE });
  for (let index = 0; index < 3; index++) {
    const destination = seededKeypair(seed, index).publicKey();
    builder.addOperation(Operation.createAccount({ destination, startingBalance: '100' }));
  }
  const transaction = builder.setTimeout(0).build();
  transaction.sign(root);
  assert.equal(network.submit(transaction.toEnvelope().toXdr()).status, 'PENDING');
  for (let ledger = 0; ledger < 2; ledger++) hashes.push(network.close().hash.toString('hex'));
  return { network, hashes };
}

test('each ledger closes one expected close time after the one before', () => {
  const { network, clock } = virtualNetwork({ close_seconds: 7 });
  const times = [1, 2, 3].map(() => Number(network.close().header.scpValue.closeTime));
  assert.deepEqual(times, [VIRTUAL_START_S + 7, VIRTUAL_START_S + 14, VIRTUAL_START_S + 21]);
  assert.equal(clock.now().getTime(), (VIRTUAL_START_S + 21) * 1000);
});

test('the same seed and transactions give the same ledger hashes, another seed gives others', () => {
  const { hashes } = simulate('a');
  assert.deepEqual(simulate('a').hashes, hashes);
  const other = simulate('b').hashes;
  assert.equal(other[0], hashes[0]);
  assert.notEqual(other[1], hashes[1]);
});

test('who sleeps is woken by the ledger that reaches its time, and by an abort', async () => {
  const { network, clock } = virtualNetwork({ close_seconds: 5 });
  const woken: string[] = [];
  const stopping = new AbortController();
  const waits = [
    clock.sleep(6000).then(() => woken.push('two ledgers')),
    clock.sleep(5000).then(() => woken.push('one ledger')),
    clock.sleep(1e9, stopping.signal).then(() => woken.push('abort')),
  ];
  network.close();
  await waits[1];
  assert.deepEqual(woken, ['one ledger']);
  network.close();
  await waits[0];
  stopping.abort();
  await waits[2];
  assert.deepEqual(woken, ['one ledger', 'two ledgers', 'abort']);
});

test('a resumed network goes on from its latest ledger’s time', (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'virtual-'));
  t.after(() => rmSync(dir, { recursive: true }));
  const first = virtualNetwork({ dir }).network;
  for (let ledger = 0; ledger < 5; ledger++) first.close();
  const before = first.latest.header.scpValue.closeTime;
  first.store.close();
  const { network } = virtualNetwork({ dir });
  assert.equal(network.close().header.scpValue.closeTime, before + 5n);
  network.store.close();
});

test('a sandbox on a virtual clock closes ledgers without waiting, and is healthy', async (t) => {
  const { server } = await sandboxFor(t, { close_ms: 'virtual' });
  const funded = await server.fundAddress(seededKeypair('over http', 0).publicKey());
  assert.equal(funded.status, 'SUCCESS');
  const { latestLedger, latestLedgerCloseTime } = (await server.getHealth()) as any;
  assert.equal(Number(latestLedgerCloseTime), VIRTUAL_START_S + 5 * (latestLedger - 1));
});

test('a sleep that is over leaves nothing behind at a signal that lives on', async () => {
  const { network, clock } = virtualNetwork({ close_seconds: 5 });
  const { signal } = new AbortController();
  const slept = clock.sleep(5000, signal);
  assert.equal(getEventListeners(signal, 'abort').length, 1);
  network.close();
  await slept;
  assert.equal(getEventListeners(signal, 'abort').length, 0);
});
