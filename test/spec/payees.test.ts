/** Payees: whom a team pays, by name. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Account, MuxedAccount, StrKey } from '@stellar/stellar-sdk/base';
import { tellerBeside as teller } from '../support/commands.ts';
import { assertError, assertFault, joinService, unique, type Wallet } from '../support/running-service.ts';

const world = await joinService('undelayed');
after(() => world.stop());
const stranger = await world.newUser();

let wallet: Wallet;
let account: string;
before(async () => {
  wallet = await world.newWallet();
  account = (await world.ledger.fund()).publicKey();
});

const muxed = (of: string, id: string) => new MuxedAccount(new Account(of, '0'), id).accountId();
const send = (method: string, path: string, body?: object, token = world.token, headers = {}) =>
  world.api(method, path, { token, headers, ...(body && { body }) });
const create = (body: object, token?: string, headers?: object) =>
  send('POST', '/v1/team/payees', { name: unique('payee'), destination: account, ...body }, token, headers);
let memo = 1_000n;
/** A payee at the account, with a memo of its own. */
async function payee(body: object = {}): Promise<any> {
  const made = await create({ memo_id: ++memo, ...body });
  assert.equal(made.status, 201, made.text);
  return made.body.data;
}
const read = (id: string, token?: string) => send('GET', `/v1/team/payees/${id}`, undefined, token);
const rename = (id: string, body: object, token?: string) =>
  send('PATCH', `/v1/team/payees/${id}`, body, token);
const remove = (id: string, token?: string) => send('DELETE', `/v1/team/payees/${id}`, undefined, token);
const pay = (body: object, key = unique('key')) =>
  world.withdraw(wallet, { amount_stroops: 5n, ...body }, { key });
async function paid(body: object): Promise<any> {
  const answer = await pay(body);
  assert.equal(answer.status, 201, answer.text);
  assert.equal(answer.body.data.status, 'confirmed', answer.text);
  return answer.body.data;
}
describe('a payee', () => {
  it('is kept as it was given, listed, and marked as new for a day', async () => {
    const note = 'Invoices of the first of the month';
    const made = await payee({ memo_id: 18446744073709551615n, note, name: '  Zoë & Co  ' });
    const { id, created_at, new_until, created_by, ...shown } = made;
    assert.deepEqual(shown, {
      name: 'Zoë & Co',
      destination: account,
      memo_id: 18446744073709551615n,
      asset_code: null,
      asset_issuer: null,
      note,
      last_paid_at: null,
    });
    assert.match(id, /^pye_/);
    assert.match(created_by, /^usr_/);
    assert.equal(Date.parse(new_until) - Date.parse(created_at), 86_400_000);
    assert.deepEqual((await read(id)).body.data, { ...made, paid: [] });
    const { items } = (await send('GET', '/v1/team/payees?limit=200')).body.data;
    assert.deepEqual(items[0], made);
  });

  it('gets another name or note; its destination never changes; once it is deleted, it is gone', async () => {
    const made = await payee({ note: 'old' });
    const name = unique('other');
    const renamed = (await rename(made.id, { name })).body.data;
    assert.deepEqual({ ...renamed, new_until: made.new_until }, { ...made, name });
    assert.ok(renamed.new_until > made.new_until, 'another name makes it new again');
    const noted = (await rename(made.id, { note: '' })).body.data;
    assert.deepEqual(noted, { ...renamed, note: null });
    assertFault(await rename(made.id, { destination: account }), '/destination');
    assert.deepEqual((await remove(made.id)).body.data, noted);
    for (const answer of [await read(made.id), await remove(made.id), await rename(made.id, { name })])
      assertError(answer, 404, 'not_found');
    assert.equal((await payee({ name })).name, name, 'its name is free again');
  });

  it('is one: by its name in any case, and by its destination and memo', async () => {
    const made = await payee();
    const same_name = await create({ name: made.name.toUpperCase(), memo_id: ++memo });
    assert.deepEqual(
      assertError(same_name, 409, 'payee_exists').map(({ path }) => path),
      ['/name'],
    );
    const same_recipient = await create({ memo_id: made.memo_id });
    assert.deepEqual(
      assertError(same_recipient, 409, 'payee_exists').map(({ path }) => path),
      ['/destination'],
    );
    const [other, muxed_payee] = [
      await payee(),
      await payee({ destination: muxed(account, '7'), memo_id: 7n }),
    ];
    assert.equal(muxed_payee.memo_id, null, 'the id is in the address');
    assertError(await create({ destination: muxed(account, '7') }), 409, 'payee_exists');
    assertError(await create({ memo_id: 7n }), 409, 'payee_exists');
    const with_memo = await payee();
    const as_muxed = await create({ destination: muxed(account, `${with_memo.memo_id}`) });
    assertError(as_muxed, 409, 'payee_exists');
    assertError(await rename(other.id, { name: made.name }), 409, 'payee_exists');
    assert.equal((await rename(made.id, { name: made.name.toUpperCase() })).status, 200);
  });

  it('of two at once with one name, one is made', async () => {
    const name = unique('twice');
    const answers = await Promise.all([++memo, ++memo, ++memo].map((memo_id) => create({ name, memo_id })));
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 409, 409]);
  });

  it('400 for what is no payee, with the field', async () => {
    const [eth, bitcoin] = [
      '0x52908400098527886E0F7030069857D2E4169EE7',
      'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
    ];
    const mistyped = `${account.slice(0, -1)}${account.endsWith('A') ? 'B' : 'A'}`;
    for (const destination of [eth, bitcoin, mistyped, `S${account.slice(1)}`, ''])
      assertFault(await create({ destination }), '/destination');
    const name = unique('faulty');
    for (const wrong of [
      '',
      '   ',
      'x'.repeat(101),
      'a\u0007b',
      'a\u200bb',
      account,
      `pye_${'0'.repeat(26)}`,
    ])
      assertFault(await create({ name: wrong }), '/name');
    assertFault(await create({ name, note: 'x'.repeat(501) }), '/note');
    for (const memo_id of ['5', -1n, 2n ** 64n]) assertFault(await create({ name, memo_id }), '/memo_id');
    assertFault(await create({ name, asset_code: 'USDC' }), '/asset_issuer');
    assertFault(await create({ name, asset_issuer: account }), '/asset_code');
    assertFault(await create({ name, payee: 'x' }), '/payee');
    const other_id = await create({ name, destination: muxed(account, '7'), memo_id: 8n });
    assert.deepEqual(
      assertError(other_id, 400, 'ambiguous_destination').map(({ path }) => path),
      ['/memo_id'],
    );
    assertFault(await send('POST', '/v1/team/payees', { name }), '/destination');
  });

  it('who may pay adds them; everybody of the team reads them, and nobody else', async () => {
    const made = await payee();
    const { token: operator } = await world.newMember('operator');
    const { token: developer } = await world.newMember('developer');
    assert.equal((await create({ memo_id: ++memo }, operator)).status, 201);
    assert.equal((await read(made.id, developer)).status, 200);
    for (const refused of [
      await create({ memo_id: ++memo }, developer),
      await rename(made.id, { note: 'x' }, developer),
      await remove(made.id, developer),
    ])
      assertError(refused, 403, 'role_missing');
    for (const hidden of [await read(made.id, stranger.token), await remove(made.id, stranger.token)])
      assertError(hidden, 404, 'not_found');
    assert.deepEqual((await send('GET', '/v1/team/payees', undefined, stranger.token)).body.data.items, []);
    assertError(await create({}, wallet.api_key), 401);
  });

  it('each change has an entry in the audit log', async () => {
    const made = await payee({ note: 'n' });
    await rename(made.id, { note: 'm' });
    await remove(made.id);
    const { items } = (await send('GET', '/v1/audit?limit=10')).body.data;
    const own = items.filter(({ target }: any) => target.id === made.id);
    assert.deepEqual(
      own.map(({ action }: any) => action),
      ['payee.deleted', 'payee.changed', 'payee.created'],
    );
    assert.deepEqual(own[2].after, {
      name: made.name,
      destination: account,
      memo_id: `${made.memo_id}`,
      note: 'n',
    });
  });
});

describe('a payment to a payee', () => {
  it('has its destination and memo, by its id or by its address, and is in its sums', async () => {
    const made = await payee();
    const by_id = await paid({ payee_id: made.id });
    assert.deepEqual([by_id.destination, by_id.memo_id, by_id.payee_id], [account, made.memo_id, made.id]);
    const by_address = await paid({ destination: account, memo_id: made.memo_id, amount_stroops: 7n });
    assert.equal(by_address.payee_id, made.id);
    const other = await paid({ destination: account });
    assert.equal(other.payee_id, null);
    const { paid: sums, last_paid_at } = (await read(made.id)).body.data;
    assert.deepEqual(sums, [{ asset_code: 'native', asset_issuer: null, amount_stroops: 12n }]);
    assert.equal(last_paid_at, by_address.settled_at);
    const before = await paid({ destination: account, memo_id: 777n });
    const later = await payee({ memo_id: 777n });
    assert.equal(later.last_paid_at, before.settled_at, 'paid before it was a payee');
    assert.deepEqual((await read(later.id)).body.data.paid, []);
    const { items } = (await send('GET', '/v1/team/payees')).body.data;
    const listed = items.find(({ id }: any) => id === made.id);
    assert.equal(listed.last_paid_at, by_address.settled_at, 'a list says when');
    assert.equal(listed.paid, undefined, 'a list sums nothing');
    const at_m = await payee({ destination: muxed(account, '99'), memo_id: undefined });
    for (const same of [
      { destination: muxed(account, '99'), memo_id: 99n },
      { destination: muxed(account, '99') },
      { destination: account, memo_id: 99n },
    ])
      assert.equal((await paid(same)).payee_id, at_m.id);
    const of_memo = await paid({ destination: muxed(account, `${made.memo_id}`) });
    assert.equal(of_memo.payee_id, made.id, 'the M… address of the account and the memo');
    const earlier = await paid({ destination: muxed(account, '778') });
    const not_first = await payee({ memo_id: 778n });
    assert.equal(not_first.last_paid_at, earlier.settled_at, 'paid before, by its M… address');
  });

  it('without a memo of its own, each payment may say one', async () => {
    const made = await payee({ destination: (await world.ledger.fund()).publicKey(), memo_id: undefined });
    for (const memo_id of [42n, null]) {
      const payment = await paid({ payee_id: made.id, memo_id });
      assert.deepEqual([payment.memo_id, payment.payee_id], [memo_id, made.id]);
    }
    const contract = await payee({
      destination: StrKey.encodeContract(Buffer.alloc(32, 7)),
      memo_id: undefined,
    });
    const other = await pay({ payee_id: contract.id, memo_id: 5n });
    assertError(other, 400, 'ambiguous_destination');
    const with_memo = await payee({ destination: made.destination, memo_id: 42n });
    assert.equal((await paid({ payee_id: made.id, memo_id: 42n })).payee_id, with_memo.id, 'the closer one');
  });

  it('400 for two recipients or none, an unknown payee, another memo or another asset; so says the preview', async () => {
    const pinned = await payee({ asset_code: 'native' });
    const usdc = await payee({ asset_code: 'USDC', asset_issuer: account });
    const preview = (body: object) =>
      send('POST', `/v1/wallets/${wallet.id}/withdraw/preview`, { amount_stroops: 5n, ...body });
    for (const ask of [pay, preview]) {
      assertFault(await ask({}), '/destination');
      assertFault(await ask({ destination: account, payee_id: pinned.id }), '/payee_id');
      for (const payee_id of ['pye_00000000000000000000000000', wallet.id, ''])
        assertFault(await ask({ payee_id }), '/payee_id');
      const other = await ask({ payee_id: pinned.id, memo_id: 1n });
      assert.deepEqual(
        assertError(other, 400, 'ambiguous_destination').map(({ path }) => path),
        ['/memo_id'],
      );
      assertFault(await ask({ payee_id: usdc.id }), '/asset_code');
      assertFault(
        await ask({ payee_id: pinned.id, asset_code: 'USDC', asset_issuer: account }),
        '/asset_code',
      );
    }
    const good = await preview({ payee_id: pinned.id });
    assert.equal(good.body.data.would_send, true, good.text);
    const theirs = await world.api('POST', '/v1/team/payees', {
      token: stranger.token,
      body: { name: 'theirs', destination: account },
    });
    assertFault(await pay({ payee_id: theirs.body.data.id }), '/payee_id');
  });

  it('whoever repeats an order to a payee that was deleted since learns of the payment; a new order is refused', async () => {
    const made = await payee();
    const key = unique('key');
    const first = await pay({ payee_id: made.id }, key);
    assert.equal(first.status, 201, first.text);
    assert.equal((await remove(made.id)).status, 200);
    const again = await pay({ payee_id: made.id }, key);
    assertError(again, 409, 'idempotency_key_reused');
    assert.equal(again.body.data.id, first.body.data.id);
    const fresh = unique('key');
    assertError(await pay({ payee_id: made.id }, fresh), 422, 'payee_deleted');
    assert.equal((await pay({ destination: account }, fresh)).status, 201, 'its key stays free');
  });

  it('a row of a payout names its payee: in JSON by its id, in a CSV also by its name', async () => {
    const [one, two] = [await payee(), await payee()];
    const key = () => unique('row');
    const payouts = `/v1/wallets/${wallet.id}/payouts`;
    const json = await send('POST', payouts, {
      name: unique('payout'),
      rows: [{ idempotency_key: key(), payee_id: one.id, amount_stroops: 5n }],
    });
    assert.equal(json.status, 201, json.text);
    const csv = (lines: string[]) =>
      send('POST', payouts, {
        name: unique('payout'),
        csv: ['idempotency_key,payee,amount_stroops', ...lines].join('\n'),
      });
    const made = await csv([
      `${key()},${one.name.toUpperCase()},5`,
      `${key()},${two.id},6`,
      `${key()},${account},7`,
    ]);
    assert.equal(made.status, 201, made.text);
    const rows = (await send('GET', `${payouts}/${made.body.data.id}/rows`)).body.data.items;
    assert.deepEqual(
      rows.map(({ destination, memo_id }: any) => [destination, memo_id]),
      [
        [account, one.memo_id],
        [account, two.memo_id],
        [account, null],
      ],
    );
    const wrong = await csv([`${key()},Nobody,5`, `${key()},,6`]);
    const faults = wrong.body.data.errors.map(({ row, field }: any) => [row, field]);
    assert.deepEqual(faults, [
      [1n, 'payee'],
      [2n, 'destination'],
    ]);
    const both = { idempotency_key: key(), payee_id: one.id, destination: account, amount_stroops: 5n };
    const two_recipients = await send('POST', payouts, { name: unique('payout'), rows: [both] });
    assert.deepEqual(
      two_recipients.body.data.errors.map(({ field }: any) => field),
      ['payee_id'],
    );
  });
});

describe('an allow list', () => {
  it('allows exactly its payees: with their memo and in their asset; and nobody deletes such a payee', async () => {
    const own = await world.newWallet();
    const [made, pinned] = [await payee(), await payee({ asset_code: 'USDC', asset_issuer: account })];
    const path = `/v1/wallets/${own.id}/policy`;
    const listed = await send('PATCH', path, { destinations: [made.id, pinned.id] });
    assert.deepEqual(listed.body.data.destinations, [made.id, pinned.id], listed.text);
    const order = (body: object) => world.withdraw(own, { amount_stroops: 5n, ...body });
    assert.equal((await order({ payee_id: made.id })).status, 201);
    assert.equal((await order({ destination: account, memo_id: made.memo_id })).status, 201);
    for (const refused of [
      await order({ destination: account }),
      await order({ destination: account, memo_id: 1n }),
      await order({ destination: account, memo_id: pinned.memo_id }),
    ])
      assertError(refused, 422, 'policy_destination_not_allowed');
    assertError(await remove(made.id), 409, 'payee_in_use');
    await send('PATCH', path, { destinations: [pinned.id] });
    assert.equal((await remove(made.id)).status, 200);
    for (const unknown of [made.id, 'pye_00000000000000000000000000'])
      assertFault(await send('PATCH', path, { destinations: [pinned.id, unknown] }), '/destinations/1');
  });
});

describe('where a policy asks for approvals of destinations', () => {
  it('202: a payee, and another name, wait for an approval; then the same request does it', async () => {
    const own = await world.newWallet();
    const rule = { approvals: { required: 1, for: ['destinations'], without_factor: true } };
    const { token: anna } = await world.newMember('approver');
    assert.equal((await send('PATCH', `/v1/wallets/${own.id}/policy`, rule)).status, 200);
    try {
      const { token: operator } = await world.newMember('operator');
      const body = { name: unique('awaited'), memo_id: ++memo };
      const asked = await create(body, operator);
      assert.equal(asked.status, 202, asked.text);
      assert.equal(asked.body.data.operation, 'createPayee');
      const items = (await send('GET', '/v1/approvals', undefined, anna)).body.data.items;
      const { access_change } = items.find(({ access_change: each }: any) => each?.id === asked.body.data.id);
      assert.deepEqual(access_change.change, {
        name: body.name,
        destination: account,
        memo_id: `${body.memo_id}`,
      });
      const approve = ({ id, order_hash }: any) =>
        send('POST', `/v1/team/access-changes/${id}/approve`, { order_hash }, anna);
      assert.equal((await create(body, operator)).status, 202, 'the same request again is the same request');
      assert.equal((await approve(asked.body.data)).status, 200);
      const made = await create(body, operator);
      assert.equal(made.status, 201, made.text);
      const { id } = made.body.data;
      assert.equal((await rename(id, { note: 'noted' }, operator)).status, 200, 'a note needs no approval');
      const name = unique('renamed');
      const awaited = await rename(id, { name }, operator);
      assert.equal(awaited.status, 202, awaited.text);
      assert.equal((await read(id)).body.data.name, body.name);
      assert.equal((await approve(awaited.body.data)).status, 200);
      assert.equal(
        (await rename(id, { note: 'noted again' }, operator)).status,
        200,
        'the approval is for the name',
      );
      assert.equal((await rename(id, { name }, operator)).body.data.name, name);
      const taken_back = (await create({ name: unique('back'), memo_id: ++memo }, operator)).body.data;
      const back = await send(
        'POST',
        `/v1/team/access-changes/${taken_back.id}/reject`,
        { order_hash: taken_back.order_hash },
        operator,
      );
      assert.equal(back.status, 200, back.text);
    } finally {
      await teller(['wallet', 'clear-approvals', own.id], world.environment);
    }
  });
});
