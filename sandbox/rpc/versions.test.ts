import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import type { Keypair } from '@stellar/stellar-sdk/base';
import { xdr } from '@stellar/stellar-sdk/base';
import type { Sandbox } from '../launch.ts';
import { call, fund, sandboxFor, signed } from '../testing/rpc-client.ts';
import { pay } from '../testing/test-network.ts';
import { RPC_VERSIONS, type RpcVersion } from './versions.ts';

type Fields = Record<string, unknown>;

async function ask(sandbox: Sandbox, method: string, params?: object): Promise<Fields> {
  const { json } = await call(sandbox, { jsonrpc: '2.0', id: 1, method, ...(params && { params }) });
  return json.result ?? json.error;
}

/** The fields of each method's answer at this version, by method. */
async function fieldsAt(t: TestContext, rpc_like: RpcVersion): Promise<Record<string, string[]>> {
  const { sandbox, server } = await sandboxFor(t, { rpc_like });
  const [from, to] = (await fund(sandbox, 2)) as [Keypair, Keypair];
  // The SDK's client needs the header that getLatestLedger had from v25 on; its other calls work with every version.
  const transaction = await signed(server, from, [pay(to, 1n)]);
  const { hash } = await server.sendTransaction(transaction);
  sandbox.closeLedger();
  const key = new xdr.LedgerKeyAccount({ accountId: from.xdrAccountId() });
  const keys = [xdr.LedgerKey.account(key).toXdr('base64')];
  const events = await ask(sandbox, 'getEvents', { startLedger: 2, filters: [] });
  const entries = await ask(sandbox, 'getLedgerEntries', { keys });
  const answers: Record<string, unknown> = {
    getHealth: await ask(sandbox, 'getHealth'),
    getLatestLedger: await ask(sandbox, 'getLatestLedger'),
    getTransaction: await ask(sandbox, 'getTransaction', { hash }),
    absent: await ask(sandbox, 'getTransaction', { hash: '0'.repeat(64) }),
    getEvents: events,
    event: (events.events as Fields[])[0],
    entry: (entries.entries as Fields[])[0],
    getVersionInfo: await ask(sandbox, 'getVersionInfo'),
  };
  return Object.fromEntries(
    Object.entries(answers).map(([name, answer]) => [name, Object.keys(answer as Fields).sort()]),
  );
}

test('each version lacks what later ones brought, and has what they removed', async (t) => {
  const all = await Promise.all(RPC_VERSIONS.map((version) => fieldsAt(t, version)));
  const [of22, of23, of270, of271, of28, of30] = all;
  assert(of22 && of23 && of270 && of271 && of28 && of30);
  const brought = (older: typeof of22, newer: typeof of22) =>
    Object.entries(newer)
      .map(([name, fields]) => [name, fields.filter((field) => !older[name]?.includes(field))] as const)
      .filter(([, fields]) => fields.length > 0);
  assert.deepEqual(brought(of22, of23), [
    ['getTransaction', ['events']],
    ['absent', ['events']],
    ['getEvents', ['latestLedgerCloseTime', 'oldestLedger', 'oldestLedgerCloseTime']],
    ['event', ['operationIndex', 'transactionIndex']],
    ['entry', ['extXdr']],
  ]);
  assert.deepEqual(brought(of23, of22), [
    ['event', ['pagingToken']],
    ['getVersionInfo', ['build_time_stamp', 'captive_core_version', 'commit_hash', 'protocol_version']],
  ]);
  assert.deepEqual(brought(of23, of270), [['getLatestLedger', ['closeTime', 'headerXdr', 'metadataXdr']]]);
  assert.deepEqual(brought(of270, of271), [
    ['getHealth', ['latestLedgerCloseTime', 'oldestLedgerCloseTime']],
  ]);
  assert.deepEqual([...brought(of270, of23), ...brought(of271, of270)], []);
  assert.deepEqual(of28, of271);
  assert.deepEqual(brought(of30, of28), [['event', ['inSuccessfulContractCall']]]);
  assert.deepEqual(brought(of28, of30), []);
});

test('says its version, and refuses an empty object of parameters before v25', async (t) => {
  for (const rpc_like of RPC_VERSIONS) {
    const { sandbox } = await sandboxFor(t, { rpc_like });
    const { version } = await ask(sandbox, 'getVersionInfo');
    assert.match(`${version}`, new RegExp(`^${rpc_like.replace('.', '\\.')}\\.`));
    const { code } = await ask(sandbox, 'getHealth', {});
    assert.equal(code, ['22', '23'].includes(rpc_like) ? -32602 : undefined, rpc_like);
    assert.equal((await ask(sandbox, 'getNetwork', {})).code, undefined);
  }
});

test('tells the highest protocol that it supports, and that of the network', async (t) => {
  const protocols = async (rpc_like: RpcVersion, protocol: number) => {
    const { sandbox } = await sandboxFor(t, { rpc_like, protocol });
    const [network, latest, version] = await Promise.all(
      ['getNetwork', 'getLatestLedger', 'getVersionInfo'].map((method) => ask(sandbox, method)),
    );
    return [network?.protocolVersion, latest?.protocolVersion, version?.protocolVersion];
  };
  assert.deepEqual(await protocols('30', 28), [28, 28, 30]);
  assert.deepEqual(await protocols('28', 28), [28, 28, 28]);
  assert.deepEqual(await protocols('27.1', 30), [30, 30, 30]);
});
