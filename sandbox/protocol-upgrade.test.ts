import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Keypair, xdr } from '@stellar/stellar-sdk/base';
import type { ClosedLedger } from './ledger/close.ts';
import { closeTimeMs } from './ledger/stellar-value.ts';
import { SANDBOX_PASSPHRASE } from './passphrase.ts';
import { ledgerCloseMetaXdr } from './rpc/ledger-close-meta.ts';
import { LedgerStore } from './store/ledger-store.ts';
import { sandboxFor } from './testing/rpc-client.ts';
import { pay, TestNetwork, UNIT } from './testing/test-network.ts';

const armOf = ({ header }: ClosedLedger) => Number(header.scpValue.ext.v);
const versionOf = ({ header }: ClosedLedger) => header.ledgerVersion;

test('the ledger of an upgrade has the old arm and carries the upgrade; each later one has milliseconds', () => {
  const net = new TestNetwork({ protocol: 28, step_ms: 1 });
  const [from, to] = net.accounts(9n * UNIT, 9n * UNIT) as [Keypair, Keypair];
  const before = net.close();
  net.network.upgrade(30);
  const transaction = net.build(from, [pay(to, UNIT)]);
  net.submit(transaction);
  const upgrade = net.close();
  const after = [net.close(), net.close()];
  const ledgers = [before, upgrade, ...after];
  assert.equal(net.resultOf(transaction, upgrade), 'txSuccess');
  assert.deepEqual(ledgers.map(armOf), [1, 1, 3, 3]);
  assert.deepEqual(ledgers.map(versionOf), [28, 30, 30, 30]);
  assert.deepEqual(
    ledgers.map(({ header }) =>
      header.scpValue.upgrades.map((bytes) => xdr.LedgerUpgrade.schema.decode(bytes)),
    ),
    [[], [{ type: 1, newLedgerVersion: 30 }], [], []],
  );
  const times = ledgers.map(({ header }) => Number(closeTimeMs(header)));
  const [begin = 0] = times;
  assert.deepEqual(
    times.map((time) => time - begin),
    [0, 1_000, 1_001, 1_002],
  );
});

test('the metadata of the ledger of an upgrade names it, and has the hash of the ledger', () => {
  const net = new TestNetwork({ protocol: 28 });
  net.network.upgrade(30);
  const { header, hash } = net.close();
  const stored = net.network.store.ledger(header.ledgerSeq) ?? assert.fail();
  const meta = xdr.LedgerCloseMeta.schema.decode(ledgerCloseMetaXdr(stored, []));
  assert.ok(meta.v === 2);
  assert.deepEqual(Buffer.from(meta.v2.ledgerHeader.hash), hash);
  assert.deepEqual(meta.v2.upgradesProcessing, [{ upgrade: { type: 1, newLedgerVersion: 30 }, changes: [] }]);
});

test('a stored ledger tells the protocol; a new network begins with the one asked for', () => {
  const store = new LedgerStore(null, SANDBOX_PASSPHRASE);
  const protocolOf = (net: TestNetwork) => net.network.latest.header.ledgerVersion;
  assert.equal(protocolOf(new TestNetwork({ store, protocol: 27 })), 27);
  const resumed = new TestNetwork({ store });
  assert.equal(protocolOf(resumed), 27);
  resumed.network.upgrade(28);
  resumed.close();
  assert.equal(protocolOf(new TestNetwork({ store, protocol: 27 })), 28);
  assert.equal(protocolOf(new TestNetwork()), 30);
});

test('an upgrade over HTTP says its ledger, and there is no way back', async (t) => {
  const { sandbox, server } = await sandboxFor(t, { protocol: 28 });
  const upgrade = async (body: string, type = 'application/json') => {
    const headers = { 'content-type': type };
    const answer = await fetch(`${sandbox.url}protocol/upgrade`, { method: 'POST', headers, body });
    return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
  };
  const { protocolVersion } = await server.getNetwork();
  assert.equal(protocolVersion, 28);
  assert.equal((await server.getVersionInfo()).protocolVersion, 30, 'what the node supports');

  for (const body of ['{"protocol":29}', '{"protocol":"30"}', '{"protocl":30}', '{'])
    assert.equal((await upgrade(body)).status, 400, body);
  assert.equal((await upgrade('', 'application/x-www-form-urlencoded')).status, 415);
  const done = await upgrade('{}');
  const { sequence } = sandbox.closeLedger();
  assert.deepEqual(done, { status: 200, json: { from_protocol: 28, protocol: 30, ledger: sequence } });
  assert.equal((await server.getNetwork()).protocolVersion, 30);
  const refused = await upgrade('{"protocol":30}');
  assert.equal(refused.status, 409);
  assert.match(JSON.stringify(refused.json), /no_way_back.*protocol 30/);
});
