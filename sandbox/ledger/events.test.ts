import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  Account,
  Asset,
  type Keypair,
  Memo,
  MuxedAccount,
  Operation,
  type xdr,
} from '@stellar/stellar-sdk/base';
import { AssetWorld } from '../testing/asset-world.ts';
import { UNIT } from '../testing/test-network.ts';
import { AUTH_CLAWBACK_ENABLED, AUTH_REVOCABLE } from './account.ts';

/** `mint bob USD 5 id 7`: name, parties, asset, amount, and the id or memo. */
function texts(
  world: AssetWorld,
  source: Keypair,
  operations: xdr.Operation[],
  memo: Memo = Memo.none(),
): string[] {
  const transaction = world.net.build(source, operations, { adjust: (builder) => builder.addMemo(memo) });
  assert.equal(world.net.submit(transaction).status, 'PENDING');
  const [closed] = world.net.close().transactions;
  assert.ok(closed?.successful && closed.meta.v === 4);
  return closed.meta.v4.operations.flatMap(({ events }) => events.map((event) => eventText(world, event)));
}

function eventText(world: AssetWorld, { body }: xdr.ContractEventWire): string {
  return [...body.v0.topics.map((topic) => valueText(world, topic)), valueText(world, body.v0.data)].join(
    ' ',
  );
}

function valueText(world: AssetWorld, value: xdr.ScValWire): string {
  if (value.type === 18) return partyText(world, value.address);
  if (value.type === 14) return value.str.toString().split(':')[0] ?? '';
  if (value.type === 15) return value.sym.toString();
  if (value.type === 10) return `${value.i128.lo / UNIT}`;
  if (value.type === 5) return `id ${value.u64}`;
  if (value.type === 13) return `bytes ${value.bytes.length}`;
  if (value.type === 0) return `${value.b}`;
  assert.ok(value.type === 17 && value.map !== null);
  return value.map.map(({ val }) => valueText(world, val)).join(' ');
}

function partyText({ issuer, alice, bob }: AssetWorld, address: xdr.ScAddressWire): string {
  if (address.type === 3) return 'balance';
  assert.ok(address.type === 0);
  const known = { issuer, alice, bob };
  const found = Object.entries(known).find(([, key]) =>
    Buffer.from(address.accountId.ed25519).equals(Buffer.from(key.rawPublicKey())),
  );
  return found?.[0] ?? 'somebody';
}

function muxed(key: Keypair, id: string): string {
  return new MuxedAccount(new Account(key.publicKey(), '0'), id).accountId();
}

const ID = Memo.id('7');

describe('unified events (CAP-67)', () => {
  test('of payments: the issuer mints by paying and burns by being paid', () => {
    const world = new AssetWorld();
    const { issuer, alice, bob } = world;
    world.hold(alice, 0n);
    world.hold(bob, 0n);
    assert.deepEqual(texts(world, issuer, [world.pay(alice, 5n * UNIT)]), ['mint alice USD 5']);
    assert.deepEqual(texts(world, alice, [world.pay(bob, 2n * UNIT)]), ['transfer alice bob USD 2']);
    assert.deepEqual(texts(world, alice, [world.pay(issuer, UNIT)], ID), ['burn alice USD 1']);
    assert.deepEqual(texts(world, issuer, [world.pay(issuer, UNIT)]), ['transfer issuer issuer USD 1']);
  });

  test('a muxed destination takes precedence over the memo, else the memo is reported', () => {
    const world = new AssetWorld();
    const { issuer, alice } = world;
    world.hold(alice, 0n);
    const pay = (to: Keypair | string, memo: Memo) => texts(world, issuer, [world.pay(to, UNIT)], memo);
    assert.deepEqual(pay(muxed(alice, '9'), ID), ['mint alice USD 1 id 9']);
    assert.deepEqual(pay(alice, ID), ['mint alice USD 1 id 7']);
    assert.deepEqual(pay(alice, Memo.text('rent')), ['mint alice USD 1 rent']);
    assert.deepEqual(pay(alice, Memo.hash(Buffer.alloc(32))), ['mint alice USD 1 bytes 32']);
    assert.deepEqual(pay(alice, Memo.return(Buffer.alloc(32))), ['mint alice USD 1 bytes 32']);
  });

  test('a merge transfers everything, and can be muxed', () => {
    const world = new AssetWorld();
    const merge = Operation.accountMerge({ destination: muxed(world.bob, '9') });
    assert.deepEqual(texts(world, world.alice, [merge]), ['transfer alice bob native 99 id 9']);
  });

  test('claimable balances are separate parties; only payments out of them can have a memo', () => {
    const world = new AssetWorld(AUTH_REVOCABLE | AUTH_CLAWBACK_ENABLED);
    const { net, issuer, alice, bob, usd } = world;
    world.hold(alice, 10n * UNIT);
    const ids: string[] = [];
    const give = (source: Keypair, asset: Asset, memo: Memo, ...to: Keypair[]) => {
      const operation = world.give(asset, UNIT, ...to);
      ids.push(net.build(source, [operation]).getClaimableBalanceId(0));
      return texts(world, source, [operation], memo);
    };
    assert.deepEqual(give(alice, Asset.native(), ID, bob), ['transfer alice balance native 1']);
    assert.deepEqual(give(issuer, usd, ID, alice), ['mint balance USD 1']);
    assert.deepEqual(give(alice, usd, ID, issuer), ['transfer alice balance USD 1']);
    assert.deepEqual(give(alice, usd, ID, bob), ['transfer alice balance USD 1']);
    const claim = (index: number, source?: string) =>
      Operation.claimClaimableBalance({ balanceId: ids[index] ?? '', ...(source ? { source } : {}) });
    assert.deepEqual(texts(world, bob, [claim(0)], ID), ['transfer balance bob native 1 id 7']);
    assert.deepEqual(texts(world, alice, [claim(1, muxed(alice, '9'))]), [
      'transfer balance alice USD 1 id 9',
    ]);
    assert.deepEqual(texts(world, issuer, [claim(2)], ID), ['burn balance USD 1']);
    const take = Operation.clawbackClaimableBalance({ balanceId: ids[3] ?? '' });
    assert.deepEqual(texts(world, issuer, [take], ID), ['clawback balance USD 1']);
  });

  test('a clawback, and authorizing or deauthorizing a line', () => {
    const world = new AssetWorld(AUTH_REVOCABLE | AUTH_CLAWBACK_ENABLED);
    const { issuer, alice, usd } = world;
    world.hold(alice, 10n * UNIT);
    const clawback = Operation.clawback({ asset: usd, from: muxed(alice, '9'), amount: '2' });
    assert.deepEqual(texts(world, issuer, [clawback], ID), ['clawback alice USD 2']);
    const flags = [
      world.authorize(alice, { authorized: true }),
      world.authorize(alice, { authorized: false, authorizedToMaintainLiabilities: true }),
      world.authorize(alice, { authorizedToMaintainLiabilities: false }),
      world.authorize(alice, { authorized: true }),
    ];
    const said = [true, false, false, true].map((authorized) => `set_authorized alice USD ${authorized}`);
    assert.deepEqual(texts(world, issuer, flags), said, 'one for each operation, though nothing changes');
  });

  test('a failed transaction has its fee event only', () => {
    const world = new AssetWorld();
    const { net, issuer, alice } = world;
    world.hold(alice, 0n, UNIT);
    const transaction = net.build(issuer, [world.pay(alice, UNIT), world.pay(alice, UNIT)]);
    assert.equal(net.submit(transaction).status, 'PENDING');
    const [closed] = net.close().transactions;
    assert.ok(closed?.meta.v === 4 && !closed.successful);
    assert.deepEqual(closed.meta.v4.operations, []);
    assert.deepEqual(
      closed.meta.v4.events.map(({ event }) => eventText(world, event)),
      ['fee issuer 0'],
    );
  });
});
