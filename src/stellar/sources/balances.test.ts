import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { Asset, Keypair, Operation, xdr } from '@stellar/stellar-sdk';
import { envelopeOf } from '../../../sandbox/testing/faulty-sandbox.ts';
import { signed } from '../../../sandbox/testing/rpc-client.ts';
import { ledgerHeader, PASSPHRASE } from '../../../test/support/ledger-xdr.ts';
import { sandboxChains } from '../../../test/support/sandbox-chains.ts';
import { systemClock } from '../../lib/clock.ts';
import { createLog } from '../../lib/log.ts';
import { createMetrics } from '../../lib/metrics.ts';
import { assetKey } from '../accounts/account-balances.ts';
import type { HttpRequest } from '../answers/transport.ts';
import { NetworkUnavailable } from '../network-unavailable.ts';
import type { Stellar } from '../stellar.ts';
import { createStellar } from './create-stellar.ts';

const issuer = Keypair.random().publicKey();
const code = (text: string) => ({ code: text, issuer });

test('RPC and Horizon give the same balances, per asset and at the newest ledger', async (t) => {
  const { sandbox, server, from, to, over } = await sandboxChains(t);
  const [rpc, horizon] = [over({ rpc: ['a'] }).stellar, over({ horizon: ['a'] }).stellar];
  const assets = ['USD', 'TWELVELETTRS', 'native'].map((name) => new Asset(name, to.publicKey()));
  const trusting = assets.map((asset) => Operation.changeTrust({ asset }));
  await rpc.submit(envelopeOf(await signed(server, from, trusting, '1000')));
  sandbox.closeLedger();
  const paying = assets.map((asset, index) =>
    Operation.payment({ destination: from.publicKey(), asset, amount: `${index + 1}` }),
  );
  await rpc.submit(envelopeOf(await signed(server, to, paying, '1000')));
  sandbox.closeLedger();
  const ledger = sandbox.closeLedger().sequence;

  const issued = assets.map((asset) => ({ code: asset.getCode(), issuer: to.publicKey() }));
  const nobody = Keypair.random().publicKey();
  const holders = [
    { account: from.publicKey(), assets: [...issued, { code: 'EUR', issuer: to.publicKey() }] },
    { account: to.publicKey(), assets: [] },
    { account: nobody, assets: issued },
  ];
  const told = await rpc.readBalances(holders);
  assert.deepEqual(await horizon.readBalances(holders), told);
  const { accounts } = await rpc.readAccounts([from.publicKey()]);
  assert.deepEqual(told.get(from.publicKey()), {
    ledger,
    native: accounts.get(from.publicKey())?.balance_stroops,
    issued: new Map(issued.map((asset, index) => [assetKey(asset), BigInt(index + 1) * 10_000_000n])),
  });
  assert.deepEqual(told.get(nobody), { ledger, native: null, issued: new Map() });
});

/** Ledger entries in the form of a node's answer. */
const accountEntry = (account: string, balance: bigint) =>
  new xdr.AccountEntry({
    accountId: xdr.PublicKey.publicKeyTypeEd25519(Keypair.fromPublicKey(account).rawPublicKey()),
    balance,
    seqNum: 1n,
    numSubEntries: 0,
    inflationDest: null,
    flags: 0,
    homeDomain: '',
    thresholds: Buffer.alloc(4),
    signers: [],
    ext: xdr.AccountEntryExt.v0(),
  });

function chainOver(
  urls: { rpc_urls?: string[]; horizon_urls?: string[] },
  answer: (request: HttpRequest) => object,
): Stellar {
  return createStellar({
    rpc_urls: urls.rpc_urls ?? [],
    horizon_urls: urls.horizon_urls ?? [],
    passphrase: PASSPHRASE,
    clock: systemClock,
    log: createLog('silent', false),
    metrics: createMetrics(),
    transport: {
      send: async (request) => ({ status: 200, text: JSON.stringify(answer(request)) }),
      close: async () => undefined,
    },
  });
}

const header = (sequence: number) => ledgerHeader(sequence, BigInt(sequence * 5)).toXdr('base64');

/** A Stellar RPC node at ledger 100 that answers with these entries. */
function rpcTelling(entriesOf: (keys: string[]) => object) {
  const asked: string[][] = [];
  const stellar = chainOver({ rpc_urls: ['http://rpc.example'] }, ({ body }) => {
    const { method, params } = JSON.parse(body?.text ?? '');
    if (method === 'getLedgerEntries') asked.push(params.keys);
    const results: Record<string, () => object> = {
      getNetwork: () => ({ passphrase: PASSPHRASE }),
      getLatestLedger: () => ({ sequence: 100, headerXdr: header(100) }),
      getLedgerEntries: () => entriesOf(params.keys),
    };
    return { jsonrpc: '2.0', id: 1, result: results[method]?.() };
  });
  return { stellar, asked };
}

test('thousands of accounts take one request per 200 keys, and no account is split over two', async () => {
  let latestLedger = 100;
  const { stellar, asked } = rpcTelling(() => ({ entries: [], latestLedger: latestLedger++ }));
  const plain = Array.from({ length: 450 }, () => ({ account: Keypair.random().publicKey(), assets: [] }));
  const balances = await stellar.readBalances(plain);
  assert.deepEqual(
    asked.map(({ length }) => length),
    [200, 200, 50],
  );
  assert.deepEqual(
    [...balances.keys()],
    plain.map(({ account }) => account),
  );
  const [first, last] = [plain.at(0), plain.at(-1)].map((holder) => balances.get(holder?.account ?? ''));
  assert.deepEqual([first?.ledger, last?.ledger], [100, 102], 'each is as of what its own answer says');

  asked.length = 0;
  const assets = Array.from({ length: 120 }, (_, index) => code(`A${index}`));
  await stellar.readBalances(plain.slice(0, 3).map(({ account }) => ({ account, assets })));
  assert.deepEqual(
    asked.map(({ length }) => length),
    [121, 121, 121],
  );
  assert.equal(new Set(asked.flat()).size, 363);
});

test('an account with more assets than one answer can hold has balances of one ledger, or none', async () => {
  const [account, other] = [Keypair.random().publicKey(), Keypair.random().publicKey()];
  const assets = Array.from({ length: 450 }, (_, index) => code(`A${index}`));
  const holders = [
    { account: other, assets: [] },
    { account, assets },
  ];
  const ledgers = [100, 100, 100, 101, 102, 102, 102];
  const { stellar, asked } = rpcTelling(() => ({ entries: [], latestLedger: ledgers.shift() ?? 0 }));
  const balances = await stellar.readBalances(holders);
  assert.deepEqual(
    asked.map(({ length }) => length),
    [1, 200, 200, 51, 200, 200, 51],
    'a ledger closed between the first answers, so the account was read again',
  );
  assert.deepEqual([...balances.values()].map(({ ledger }) => ledger).sort(), [100, 102]);

  let latestLedger = 100;
  const hurried = rpcTelling(() => ({ entries: [], latestLedger: latestLedger++ }));
  await assert.rejects(hurried.stellar.readBalances(holders), NetworkUnavailable);
});

test('entries that were not asked for, of a later ledger or of a lagging node give no balances', async () => {
  const [account, other] = [Keypair.random().publicKey(), Keypair.random().publicKey()];
  const told = (of: string, more = {}) => ({
    xdr: xdr.LedgerEntryData.account(accountEntry(of, 7n)).toXdr('base64'),
    lastModifiedLedgerSeq: 90,
    ...more,
  });
  const read = async (answer: object) =>
    (await rpcTelling(() => answer).stellar.readBalances([{ account, assets: [] }])).get(account);
  assert.deepEqual(await read({ entries: [told(account)], latestLedger: 101 }), {
    ledger: 101,
    native: 7n,
    issued: new Map(),
  });
  for (const answer of [
    { entries: [told(other)], latestLedger: 100 },
    { entries: [told(account, { lastModifiedLedgerSeq: 101 })], latestLedger: 100 },
    { entries: [told(account)], latestLedger: 99 },
    { entries: [told(account, { xdr: 'AAAA' })], latestLedger: 100 },
    { entries: [{ xdr: told(account).xdr }], latestLedger: 100 },
    { entries: [told(account)] },
  ])
    await assert.rejects(read(answer), { name: 'NetworkUnavailable' }, JSON.stringify(answer));
});

test('Horizon’s balances are at the newest ledger before the read, or at their own later change', async () => {
  const account = Keypair.random().publicKey();
  const usd = (last_modified_ledger: number) => ({
    asset_type: 'credit_alphanum4',
    asset_code: 'USD',
    asset_issuer: issuer,
    balance: '2.0000000',
    last_modified_ledger,
  });
  const read = async (record: object, after = 100) => {
    let looks = 0;
    const stellar = chainOver({ horizon_urls: ['http://horizon.example'] }, ({ url }) => {
      const { pathname } = new URL(url);
      if (pathname === '/ledgers') {
        const sequence = looks++ === 0 ? 100 : after;
        return { _embedded: { records: [{ sequence, header_xdr: header(sequence) }] } };
      }
      if (pathname !== '/') return { account_id: account, ...record };
      const range = { history_latest_ledger: 100, history_elder_ledger: 2 };
      return { network_passphrase: PASSPHRASE, ...range, _links: {} };
    });
    return (await stellar.readBalances([{ account, assets: [] }])).get(account);
  };
  const native = { asset_type: 'native', balance: '1.0000001' };
  const shares = { asset_type: 'liquidity_pool_shares', balance: '9.0000000' };
  const issued = new Map([[assetKey(code('USD')), 20_000_000n]]);
  const as = (ledger: number) => ({ ledger, native: 10_000_001n, issued });
  const balances = [shares, usd(60), native];
  assert.deepEqual(await read({ last_modified_ledger: 90, balances }), as(100));
  assert.deepEqual(await read({ last_modified_ledger: 102, balances }, 103), as(102));
  const later = [usd(103), native];
  assert.deepEqual(await read({ last_modified_ledger: 90, balances: later }, 103), as(103));
  for (const record of [
    { last_modified_ledger: 90, balances: [usd(60)] },
    { last_modified_ledger: 90, balances: [{ ...native, balance: '1' }] },
    { balances },
    { last_modified_ledger: 90, balances, account_id: issuer },
  ])
    await assert.rejects(read(record), { name: 'NetworkUnavailable' }, JSON.stringify(record));
  await assert.rejects(read({ last_modified_ledger: 90, balances }, 99), { name: 'NetworkUnavailable' });
});
