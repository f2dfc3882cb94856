/** What a wallet may pay out, as its owner has set it: 422 `policy_…`, the order of checks, POLICY_DELAY_SECONDS. */
import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { Account, Keypair, MuxedAccount } from '@stellar/stellar-sdk/base';
import type { Answer } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import {
  assertError,
  assertFault,
  startRunningService,
  startSecond,
  unique,
  type Wallet,
} from '../support/running-service.ts';

const DELAY_SECONDS = 3600;
const NOWHERE = 'wal_00000000000000000000000000';
const NO_POLICY = {
  frozen: false,
  operator_freeze: null,
  max_withdrawal_stroops: null,
  max_rolling_24h_stroops: null,
  used_rolling_24h_stroops: 0n,
  limits: [],
  other_assets_allowed: true,
  destinations: null,
  approvals: null,
  delay_seconds: BigInt(DELAY_SECONDS),
  pending: [],
};

const world = await startRunningService({ POLICY_DELAY_SECONDS: `${DELAY_SECONDS}` });
/** With a delay of one second: what it is asked for takes effect while a test waits. */
const hasty = await startSecond(world, { POLICY_DELAY_SECONDS: '1' });
const stranger = await world.newUser();
const payee = (await world.ledger.fund()).publicKey();
after(async () => {
  const code = await hasty.stop();
  await world.stop();
  assert.equal(code, 0, hasty.output());
});

let wallet: Wallet;
beforeEach(async () => {
  wallet = await world.newWallet();
});

const muxed = (account: string, id: string) => new MuxedAccount(new Account(account, '0'), id).accountId();
const policy = (method: string, body?: unknown, { service = world.service, token = world.token } = {}) =>
  service.api(method, `/v1/wallets/${wallet.id}/policy`, { token, body });

/** The policy after the request. */
async function ask(method: 'PUT' | 'PATCH', body: unknown, service = world.service): Promise<any> {
  const answer = await policy(method, body, { service });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}
const inForce = async () => (await policy('GET')).body.data;

const pay = (
  amount_stroops: bigint,
  { key = unique('key'), destination = payee, memo_id = null as any } = {},
) => world.withdraw(wallet, { destination, amount_stroops, memo_id }, { key });

async function assertPaid(answer: Promise<Answer>): Promise<void> {
  const { status, body, text } = await answer;
  assert.equal(status, 201, text);
  assert.equal(body.data.status, 'confirmed', text);
}

describe('GET …/policy', () => {
  it('a wallet that was given none has no limits', async () => {
    const answer = await policy('GET');
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body.data, { wallet_id: wallet.id, ...NO_POLICY });
    await assertPaid(pay(5n));
  });

  it('shows the limits, exact beyond 2^53, and what the last 24 hours used', async () => {
    const limits = {
      max_withdrawal_stroops: 9007199254740993n,
      max_rolling_24h_stroops: 9223372036854775807n,
    };
    await ask('PUT', limits);
    await assertPaid(pay(5n));
    await assertPaid(pay(6n));
    const used = { used_rolling_24h_stroops: 11n };
    const native = { asset_code: 'native', asset_issuer: null, ...limits, ...used };
    const expected = { ...NO_POLICY, ...limits, ...used, limits: [native], other_assets_allowed: false };
    assert.deepEqual(await inForce(), { wallet_id: wallet.id, ...expected });
  });
});

describe('a withdrawal against the policy: 422, no row, and the key stays free', () => {
  const cases: [name: string, policy: () => object, code: string][] = [
    ['frozen', () => ({ frozen: true }), 'policy_frozen'],
    ['over the limit per withdrawal', () => ({ max_withdrawal_stroops: 99 }), 'policy_amount_limit'],
    ['over the limit of 24 hours', () => ({ max_rolling_24h_stroops: 99 }), 'policy_daily_limit'],
    [
      'to an address that is not listed',
      () => ({ destinations: [muxed(payee, '1')] }),
      'policy_destination_not_allowed',
    ],
    ['to any address of an empty list', () => ({ destinations: [] }), 'policy_destination_not_allowed'],
  ];
  for (const [name, body, code] of cases) {
    it(`${name}: ${code}`, async () => {
      await ask('PUT', body());
      const [rows, key] = [await world.countOf('withdrawals'), unique('refused')];
      for (let round = 0; round < 2; round++) assertError(await pay(100n, { key }), 422, code);
      assert.equal(await world.countOf('withdrawals'), rows);
      await ask('PUT', {}, hasty);
      await eventually('it takes effect', async () => (await inForce()).pending.length === 0);
      await assertPaid(pay(100n, { key }));
    });
  }

  it('what reaches a limit exactly is paid', async () => {
    await ask('PUT', { max_withdrawal_stroops: 100, max_rolling_24h_stroops: 150 });
    await assertPaid(pay(100n));
    await assertPaid(pay(50n));
    assertError(await pay(1n), 422, 'policy_daily_limit');
  });

  it('a daily refusal says the limit, what is left, and from when on the amount is possible', async () => {
    await ask('PUT', { max_rolling_24h_stroops: 100 });
    const first = await pay(70n);
    const refused = await pay(40n);
    assert.deepEqual(
      assertError(refused, 422, 'policy_daily_limit').map(({ path }) => path),
      ['/amount_stroops'],
    );
    const { message } = refused.body;
    const possible_at = Date.parse(first.body.data.created_at) + 24 * 3_600_000;
    assert.match(message, /100 stroops in 24 hours.* 30 stroops left/);
    assert.ok(message.includes(new Date(possible_at).toISOString()), message);
  });

  it('one that failed on the ledger is not counted', async () => {
    await ask('PUT', { max_rolling_24h_stroops: 100 });
    const answer = await pay(100n, { destination: muxed(Keypair.random().publicKey(), '1') });
    assert.equal(answer.body.data.failure?.code, 'op_no_destination', answer.text);
    await assertPaid(pay(100n));
  });

  it('a listed G… is paid with and without a memo, and every M… of it', async () => {
    await ask('PUT', { destinations: [payee] });
    await assertPaid(pay(1n));
    await assertPaid(pay(1n, { memo_id: 7n }));
    await assertPaid(pay(1n, { destination: muxed(payee, '7') }));
  });

  it('a listed M… is paid itself only: not another id, not its G… with the id as memo', async () => {
    const destination = muxed(payee, '7');
    await ask('PUT', { destinations: [destination] });
    await assertPaid(pay(1n, { destination }));
    await assertPaid(pay(1n, { destination, memo_id: 7n }));
    for (const other of [{ destination: muxed(payee, '8') }, { memo_id: 7n }, {}]) {
      assertError(await pay(1n, other), 422, 'policy_destination_not_allowed');
    }
  });

  it('preflight comes first: 400 ambiguous_destination though the wallet is frozen', async () => {
    await ask('PUT', { frozen: true });
    const ambiguous = { destination: muxed(payee, '7'), memo_id: 8n };
    assertError(await pay(1n, ambiguous), 400, 'ambiguous_destination');
  });
});

describe('a key already used is 409 before any policy is asked', () => {
  it('though the wallet is frozen since, with the same body and another', async () => {
    const key = unique('used');
    await assertPaid(pay(5n, { key }));
    await ask('PATCH', { frozen: true });
    assertError(await pay(5n, { key }), 409, 'idempotency_key_reused');
    assertError(await pay(6n, { key }), 409, 'idempotency_key_mismatch');
    assertError(await pay(5n), 422, 'policy_frozen');
  });

  it('50 at once with one key, where the limit has room for one: one 201, forty-nine 409', async () => {
    await ask('PUT', { max_rolling_24h_stroops: 10 });
    const key = unique('once');
    const answers = await Promise.all(Array.from({ length: 50 }, () => pay(10n, { key })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(49).fill(409)]);
  });
});

describe('100 at once on two processes', () => {
  it('cannot exceed the daily limit together: as many are paid as it has room for', async () => {
    await ask('PUT', { max_rolling_24h_stroops: 100 });
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        [world.service, hasty][index % 2]?.api('POST', `/v1/wallets/${wallet.id}/withdraw`, {
          token: world.token,
          headers: { 'idempotency-key': unique('crowd') },
          body: { destination: payee, amount_stroops: 10 },
        }),
      ),
    );
    const paid = answers.filter((answer) => answer?.status === 201);
    assert.equal(paid.length, 10);
    for (const answer of paid) assert.equal(answer?.body.data.status, 'confirmed');
    for (const answer of answers) {
      if (answer && answer.status !== 201) assertError(answer, 422, 'policy_daily_limit');
    }
    assert.equal((await inForce()).used_rolling_24h_stroops, 100n);
  });
});

describe('tightening works at once', () => {
  it('in the answer to the call, and on the other process', async () => {
    const tight = {
      frozen: true,
      max_withdrawal_stroops: 7n,
      max_rolling_24h_stroops: 9n,
      destinations: [payee],
    };
    const answered = await ask('PUT', tight);
    const { limits, other_assets_allowed, ...rest } = answered;
    assert.deepEqual(
      { ...rest, limits: [], other_assets_allowed: true },
      {
        wallet_id: wallet.id,
        ...NO_POLICY,
        ...tight,
      },
    );
    assert.deepEqual([limits.length, other_assets_allowed], [1, false]);
    const { body } = await policy('GET', undefined, { service: hasty });
    assert.deepEqual(body.data, { ...answered, delay_seconds: 1n });
  });

  it('a freeze stops new withdrawals; what was accepted before goes on', async () => {
    const accepted = Array.from({ length: 5 }, () => pay(3n));
    await eventually('all are accepted', async () => {
      const rows = await world.query('select 1 from withdrawals where wallet_id = $1', [wallet.id]);
      return rows.length === 5;
    });
    await ask('PATCH', { frozen: true });
    assertError(await pay(3n), 422, 'policy_frozen');
    for (const answer of accepted) await assertPaid(answer);
  });
});

describe('loosening waits POLICY_DELAY_SECONDS', () => {
  const tight = () => ({
    frozen: true,
    max_withdrawal_stroops: 7,
    max_rolling_24h_stroops: 9,
    destinations: [payee],
  });

  it('every kind of it is shown as pending with takes_effect_at, and nothing of it is in force', async () => {
    const before = await ask('PUT', tight());
    const { pending, ...after } = await ask('PUT', {});
    assert.deepEqual({ ...after, pending: [] }, before);
    const fields = ['frozen', 'max_withdrawal_stroops', 'max_rolling_24h_stroops', 'destinations'];
    assert.deepEqual(
      pending.map(({ field }: any) => field),
      fields,
    );
    for (const { id, limit_stroops, destination, created_at, takes_effect_at } of pending) {
      assert.match(id, /^pch_/);
      assert.deepEqual([limit_stroops, destination], [null, null]);
      assert.equal(Date.parse(takes_effect_at) - Date.parse(created_at), DELAY_SECONDS * 1000);
    }
    assertError(await pay(1n), 422, 'policy_frozen');
  });

  it('a higher limit and an added address are pending with their value', async () => {
    await ask('PUT', { max_withdrawal_stroops: 7, destinations: [] });
    const { pending } = await ask('PATCH', { max_withdrawal_stroops: 8, destinations: [payee] });
    assert.deepEqual(
      pending.map(({ field, limit_stroops, destination }: any) => [field, limit_stroops, destination]),
      [
        ['max_withdrawal_stroops', 8n, null],
        ['destinations', null, payee],
      ],
    );
  });

  it('it takes effect by itself, and not before its time', async () => {
    await ask('PUT', { max_withdrawal_stroops: 7 });
    const { pending } = await ask('PATCH', { max_withdrawal_stroops: 8 }, hasty);
    const takes_effect_at = Date.parse(pending[0].takes_effect_at);
    await eventually('the higher limit is in force', async () => {
      const answer = await pay(8n);
      if (answer.status === 201) return true;
      assertError(answer, 422, 'policy_amount_limit');
      return false;
    });
    assert.ok(Date.now() >= takes_effect_at);
  });

  it('what is pending when a rule for policies comes takes no effect without the approvals of that rule', async () => {
    const approver = await world.newMember('approver');
    await ask('PUT', { max_withdrawal_stroops: 7 });
    await ask('PATCH', { max_withdrawal_stroops: 8 });
    const ruled = await ask('PATCH', { approvals: { required: 1, for: ['policies'], without_factor: true } });
    const [{ id, status, requested_by }] = ruled.pending;
    assert.equal(status, 'awaiting_approval');
    assert.match(requested_by, /^usr_/);
    await world.query('update policy_changes set takes_effect_at = created_at where id = $1', [id]);
    assertError(await pay(8n), 422, 'policy_amount_limit');
    const [{ order_hash }] = (await inForce()).pending;
    const approve = (token: string) =>
      world.api('POST', `/v1/wallets/${wallet.id}/policy/pending/${id}/approve`, {
        token,
        body: { order_hash },
      });
    assertError(await approve(world.token), 403, 'may_not_approve');
    assert.equal((await approve(approver.token)).status, 200);
    await assertPaid(pay(8n));
  });

  it('one call may tighten and loosen: the one at once, the other pending', async () => {
    await ask('PUT', { max_withdrawal_stroops: 7, max_rolling_24h_stroops: 9 });
    const answered = await ask('PUT', {
      max_withdrawal_stroops: 6,
      max_rolling_24h_stroops: 10,
      frozen: true,
    });
    assert.deepEqual(
      [answered.frozen, answered.max_withdrawal_stroops, answered.max_rolling_24h_stroops],
      [true, 6n, 9n],
    );
    assert.equal(answered.pending.length, 1);
  });

  it('a tightening takes back what is pending of its field; PATCH leaves the other fields as they are', async () => {
    await ask('PUT', { max_withdrawal_stroops: 7, max_rolling_24h_stroops: 9 });
    await ask('PUT', {});
    const { pending, ...answered } = await ask('PATCH', { max_withdrawal_stroops: 6, frozen: true });
    assert.deepEqual(
      pending.map(({ field }: any) => field),
      ['max_rolling_24h_stroops'],
    );
    assert.deepEqual([answered.max_withdrawal_stroops, answered.max_rolling_24h_stroops], [6n, 9n]);
  });

  it('to ask for the same again changes nothing; an empty PATCH neither', async () => {
    await ask('PUT', tight());
    const first = await ask('PUT', { max_withdrawal_stroops: 8 });
    assert.deepEqual(await ask('PUT', { max_withdrawal_stroops: 8 }), first);
    assert.deepEqual(await ask('PATCH', {}), first);
  });
});

describe('DELETE …/policy/pending/:change_id', () => {
  const revoke = (id: string, token = world.token, of = wallet.id) =>
    world.api('DELETE', `/v1/wallets/${of}/policy/pending/${id}`, { token });

  it('takes a pending change back: 200 with it, and it never takes effect; then 404', async () => {
    await ask('PUT', { frozen: true, max_withdrawal_stroops: 7 });
    const { pending } = await ask('PUT', {});
    const answer = await revoke(pending[0].id);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.body.data, pending[0]);
    assert.deepEqual((await inForce()).pending, [pending[1]]);
    assertError(await revoke(pending[0].id), 404, 'not_found');
  });

  it('404 once it is in force: it stays in force', async () => {
    await ask('PUT', { frozen: true });
    const { pending } = await ask('PATCH', { frozen: false }, hasty);
    await eventually('it is in force', async () => !(await inForce()).frozen);
    assertError(await revoke(pending[0].id), 404, 'not_found');
    assert.equal((await inForce()).frozen, false);
  });

  it('404 for the change of another wallet, and for what cannot be an id', async () => {
    await ask('PUT', { frozen: true });
    const { pending } = await ask('PUT', {});
    const other = await world.newWallet();
    assertError(await revoke(pending[0].id, world.token, other.id), 404, 'not_found');
    for (const id of ['pch_x', '%00', 'x'.repeat(60)]) assertError(await revoke(id), 404, 'not_found');
    assert.equal((await inForce()).pending.length, 1);
  });

  it('404 writes nothing: no version of the policy, no first row of a policy, and no entry of the audit log', async () => {
    await ask('PUT', { frozen: true });
    const other = await world.newWallet();
    const state = async () => [
      await world.query('select * from wallet_policies where wallet_id = any($1)', [[wallet.id, other.id]]),
      await world.query("select entry from audit_log where action <> 'login.succeeded' order by seq desc"),
    ];
    const before = await state();
    for (const { id } of [wallet, other])
      assertError(await revoke('pch_x', world.token, id), 404, 'not_found');
    assert.deepEqual(await state(), before);
  });
});

describe('who may', () => {
  const calls: [method: string, path: string, body?: unknown][] = [
    ['GET', 'policy'],
    ['PUT', 'policy', { frozen: true }],
    ['PATCH', 'policy', { frozen: true }],
    ['DELETE', 'policy/pending/pch_1'],
  ];
  for (const [method, path, body] of calls) {
    const ofWallet = (id: string, token: string) =>
      world.api(method, `/v1/wallets/${id}/${path}`, { token, body });

    it(`${method} ${path}: 401 refuses the wallet's own API key, whatever the wallet`, async () => {
      assertError(await ofWallet(wallet.id, wallet.api_key), 401, 'login_required');
      assertError(await ofWallet(NOWHERE, wallet.api_key), 401, 'login_required');
      assertError(await ofWallet(wallet.id, ''), 401, 'unauthenticated');
      assert.deepEqual(await inForce(), { wallet_id: wallet.id, ...NO_POLICY });
    });

    it(`${method} ${path}: 404 for another user's wallet`, async () => {
      assertError(await ofWallet(wallet.id, stranger.token), 404, 'not_found');
      assertError(await ofWallet(NOWHERE, world.token), 404, 'not_found');
      assert.deepEqual(await inForce(), { wallet_id: wallet.id, ...NO_POLICY });
    });
  }
});

describe('a policy that is not valid is 400 at its field, and changes nothing', () => {
  const faults: [body: string, path: string][] = [
    ['{"max_withdrawal_stroops":0}', '/max_withdrawal_stroops'],
    ['{"max_withdrawal_stroops":1.0}', '/max_withdrawal_stroops'],
    ['{"max_rolling_24h_stroops":"5"}', '/max_rolling_24h_stroops'],
    ['{"max_rolling_24h_stroops":9223372036854775808}', '/max_rolling_24h_stroops'],
    ['{"frozen":1}', '/frozen'],
    ['{"frozen":"true"}', '/frozen'],
    ['{"frozen":true,"max_withdrawl_stroops":5}', '/max_withdrawl_stroops'],
    ['{"destinations":"G"}', '/destinations'],
    ['{"destinations":{}}', '/destinations'],
    ['{"destinations":["G"]}', '/destinations/0'],
    ['{"destinations":[5]}', '/destinations/0'],
    ['{"destinations":[null]}', '/destinations/0'],
    [
      `{"destinations":["${Keypair.random().publicKey()}","${Keypair.random().secret()}"]}`,
      '/destinations/1',
    ],
    [`{"destinations":[${Array(501).fill(`"${Keypair.random().publicKey()}"`)}]}`, '/destinations'],
  ];
  for (const [body, path] of faults) {
    it(`${body.slice(0, 60)}: ${path}`, async () => {
      for (const method of ['PUT', 'PATCH']) assertFault(await policy(method, body), path);
      assert.deepEqual(await inForce(), { wallet_id: wallet.id, ...NO_POLICY });
    });
  }

  it('an address that is listed twice counts once; a list of 500 is taken', async () => {
    assert.deepEqual((await ask('PUT', { destinations: [payee, payee] })).destinations, [payee]);
    wallet = await world.newWallet();
    const destinations = Array.from({ length: 500 }, () => Keypair.random().publicKey());
    assert.deepEqual((await ask('PUT', { destinations })).destinations, destinations);
  });
});
