/** API.md section 5: limits by asset. An asset without a limit is refused while another asset has one. */
import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { Asset, Keypair, Operation } from '@stellar/stellar-sdk/base';
import { eventually } from '../support/eventually.ts';
import { newIssuer } from '../support/issuers.ts';
import {
  assertError,
  assertFault,
  startRunningService,
  startSecond,
  unique,
  type Wallet,
} from '../support/running-service.ts';

const DELAY_SECONDS = 3600;
const HUGE = 9007199254740993n;
const NATIVE = { asset_code: 'native', asset_issuer: null };

const world = await startRunningService({ POLICY_DELAY_SECONDS: `${DELAY_SECONDS}` });
/** With a delay of one second: what it is asked for takes effect while a test waits. */
const hasty = await startSecond(world, { POLICY_DELAY_SECONDS: '1' });
const { ledger } = world;
const [usdc, eurc] = [await newIssuer(ledger), await newIssuer(ledger, 'EURC')];
const payee = await usdc.holder(0n);
await ledger.apply(payee, [Operation.changeTrust({ asset: new Asset('EURC', eurc.key.publicKey()) })]);
after(async () => {
  const code = await hasty.stop();
  await world.stop();
  assert.equal(code, 0, hasty.output());
});

let wallet: Wallet;
beforeEach(async () => {
  wallet = await world.newWallet();
});

const policy = (method: string, body?: unknown, service = world.service) =>
  service.api(method, `/v1/wallets/${wallet.id}/policy`, { token: world.token, body });
async function ask(method: 'PUT' | 'PATCH', body: unknown, service = world.service): Promise<any> {
  const answer = await policy(method, body, service);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}
const inForce = async () => (await policy('GET')).body.data;

async function hold(...issuers: (typeof usdc)[]): Promise<void> {
  for (const issuer of issuers) {
    const path = `/v1/wallets/${wallet.id}/assets`;
    const { status, text } = await world.api('POST', path, { token: world.token, body: issuer.fields });
    assert.equal(status, 201, text);
    await issuer.pay(wallet.account, 1_000n);
  }
}
const pay = (amount_stroops: bigint, asset: object = {}, key = unique('key')) =>
  world.withdraw(wallet, { destination: payee.publicKey(), amount_stroops, ...asset }, { key });
async function assertPaid(answer: ReturnType<typeof pay>): Promise<void> {
  const { status, body, text } = await answer;
  assert.equal(status, 201, text);
  assert.equal(body.data.status, 'confirmed', text);
}

/** As the API shows an entry of `limits`. */
const entry = (asset: object, limits: object, used_rolling_24h_stroops = 0n) => ({
  ...asset,
  max_withdrawal_stroops: null,
  max_rolling_24h_stroops: null,
  ...limits,
  used_rolling_24h_stroops,
});
const pendingOf = ({ pending }: any) =>
  pending.map((change: any) => [
    change.field,
    change.asset_code,
    change.limit_stroops,
    change.max_withdrawal_stroops,
    change.max_rolling_24h_stroops,
  ]);

describe('limits by asset', () => {
  it('each limited asset is shown, exact beyond 2^53, with what its last 24 hours used', async () => {
    await hold(usdc);
    const limits = { max_withdrawal_stroops: HUGE, max_rolling_24h_stroops: HUGE + 1n };
    const body = {
      limits: [
        { ...usdc.fields, ...limits },
        { ...NATIVE, max_rolling_24h_stroops: HUGE },
      ],
    };
    await ask('PUT', body);
    await assertPaid(pay(5n, usdc.fields));
    await assertPaid(pay(6n, usdc.fields));
    await assertPaid(pay(7n));
    const shown = await inForce();
    assert.deepEqual(shown.limits, [
      entry(NATIVE, { max_rolling_24h_stroops: HUGE }, 7n),
      entry(usdc.fields, limits, 11n),
    ]);
    const { max_withdrawal_stroops, max_rolling_24h_stroops, used_rolling_24h_stroops } = shown;
    assert.deepEqual(
      [max_withdrawal_stroops, max_rolling_24h_stroops, used_rolling_24h_stroops],
      [null, HUGE, 7n],
    );
    assert.deepEqual([shown.other_assets_allowed, shown.pending], [false, []]);
  });

  it('hold withdrawals of their asset: 422, no row, and the key stays free', async () => {
    await hold(usdc);
    await ask('PUT', {
      limits: [{ ...usdc.fields, max_withdrawal_stroops: 100, max_rolling_24h_stroops: 150 }],
    });
    const [rows, key] = [await world.countOf('withdrawals'), unique('refused')];
    const refused = await pay(101n, usdc.fields, key);
    assertError(refused, 422, 'policy_amount_limit');
    assert.match(refused.body.message, new RegExp(`100 stroops of ${usdc.text} per withdrawal`));
    assert.equal(await world.countOf('withdrawals'), rows);
    await assertPaid(pay(100n, usdc.fields, key));
    assertError(await pay(51n, usdc.fields), 422, 'policy_daily_limit');
    await assertPaid(pay(50n, usdc.fields));
  });

  it('a limit of one asset refuses every other, the native one too, and the preview says so before', async () => {
    await hold(usdc, eurc);
    await ask('PUT', { limits: [{ ...usdc.fields, max_withdrawal_stroops: 100 }] });
    for (const asset of [{}, eurc.fields]) {
      const refused = await pay(1n, asset);
      assertError(refused, 422, 'policy_asset_without_limit');
      const { body } = await world.api('POST', `/v1/wallets/${wallet.id}/withdraw/preview`, {
        token: world.token,
        body: { destination: payee.publicKey(), amount_stroops: 1, ...asset },
      });
      assert.equal(body.data.would_send, false);
      const { code, message } = body.data.problems[0];
      assert.deepEqual([code, message], ['policy_asset_without_limit', refused.body.message]);
    }
  });

  it('trust lines are made and removed whatever the limits are', async () => {
    await ask('PUT', { limits: [{ ...eurc.fields, max_withdrawal_stroops: 1 }], destinations: [] });
    const path = `/v1/wallets/${wallet.id}/assets`;
    assert.equal((await world.api('POST', path, { token: world.token, body: usdc.fields })).status, 201);
    assert.equal((await world.api('DELETE', `${path}/${usdc.text}`, { token: world.token })).status, 200);
  });

  it('hold refunds of their asset like withdrawals, and count them', async () => {
    await hold(usdc);
    const hash = await usdc.pay(wallet.account, 60n);
    const [deposit] = await world.depositsOf(wallet, hash);
    const refund = () =>
      world.api('POST', `/v1/wallets/${wallet.id}/deposits/${deposit.id}/refund`, {
        token: world.token,
        headers: { 'idempotency-key': unique('refund') },
        body: {},
      });
    const refusals: [object, string][] = [
      [{ ...eurc.fields, max_withdrawal_stroops: 60 }, 'policy_asset_without_limit'],
      [{ ...usdc.fields, max_withdrawal_stroops: 59 }, 'policy_amount_limit'],
      [{ ...usdc.fields, max_rolling_24h_stroops: 59 }, 'policy_daily_limit'],
    ];
    for (const [limit, code] of refusals) {
      await ask('PUT', { limits: [limit] }, hasty);
      await eventually('it is in force', async () => (await inForce()).pending.length === 0);
      assertError(await refund(), 422, code);
    }
    await ask('PUT', { limits: [{ ...usdc.fields, max_rolling_24h_stroops: 60 }] }, hasty);
    await eventually('it is in force', async () => (await inForce()).pending.length === 0);
    const paid = await refund();
    assert.equal(paid.body.data?.status, 'confirmed', paid.text);
    assert.deepEqual((await inForce()).limits, [entry(usdc.fields, { max_rolling_24h_stroops: 60n }, 60n)]);
    assertError(await pay(1n, usdc.fields), 422, 'policy_daily_limit');
  });

  it('60 at once of two assets on two processes cannot exceed the limit of an asset together', async () => {
    await hold(usdc, eurc);
    const limits = [
      { ...usdc.fields, max_rolling_24h_stroops: 50 },
      { ...eurc.fields, max_rolling_24h_stroops: 30 },
    ];
    await ask('PUT', { limits });
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        [world.service, hasty][(index >> 1) % 2]?.api('POST', `/v1/wallets/${wallet.id}/withdraw`, {
          token: world.token,
          headers: { 'idempotency-key': unique('crowd') },
          body: {
            destination: payee.publicKey(),
            amount_stroops: 10,
            ...[usdc, eurc][index % 2]?.fields,
          },
        }),
      ),
    );
    const paid = answers.filter((answer) => answer?.status === 201).map((answer) => answer?.body.data);
    const codes = paid.map(({ status, asset_code }) => `${status} ${asset_code}`).sort();
    assert.deepEqual(codes, [...Array(3).fill('confirmed EURC'), ...Array(5).fill('confirmed USDC')]);
    for (const answer of answers)
      if (answer && answer.status !== 201) assertError(answer, 422, 'policy_daily_limit');
    assert.deepEqual(
      (await inForce()).limits.map(({ used_rolling_24h_stroops }: any) => used_rolling_24h_stroops),
      [30n, 50n],
    );
  });
});

describe('what waits, and what does not', () => {
  it('a limit for an asset that was refused waits, as a change of its own, and then allows it', async () => {
    await hold(usdc);
    await ask('PUT', { max_withdrawal_stroops: 7 });
    const limits = [{ max_withdrawal_stroops: 7 }, { ...usdc.fields, max_withdrawal_stroops: HUGE }];
    const asked = await ask('PATCH', { limits }, hasty);
    assert.deepEqual(asked.limits, [entry(NATIVE, { max_withdrawal_stroops: 7n })]);
    assert.deepEqual(pendingOf(asked), [['limits', 'USDC', null, HUGE, null]]);
    assert.equal(asked.pending[0].asset_issuer, usdc.fields.asset_issuer);
    const takes_effect_at = Date.parse(asked.pending[0].takes_effect_at);
    await eventually('it is allowed', async () => {
      const answer = await pay(8n, usdc.fields);
      if (answer.status === 201) return true;
      assertError(answer, 422, 'policy_asset_without_limit');
      return false;
    });
    assert.ok(Date.now() >= takes_effect_at);
  });

  it('a limit that goes while another stays refuses its asset at once', async () => {
    await hold(usdc);
    const [native, own] = [{ max_withdrawal_stroops: 7 }, { ...usdc.fields, max_withdrawal_stroops: 5 }];
    await ask('PUT', { limits: [native, own] });
    await assertPaid(pay(5n, usdc.fields));
    const { limits, pending } = await ask('PATCH', { limits: [native] });
    assert.deepEqual([limits.length, pending], [1, []]);
    assertError(await pay(5n, usdc.fields), 422, 'policy_asset_without_limit');
    assert.deepEqual(pendingOf(await ask('PATCH', { limits: [native, own] })), [
      ['limits', 'USDC', null, 5n, null],
    ]);
  });

  it('PUT without `limits` leaves the native asset alone limited: the others are refused at once', async () => {
    await ask('PUT', {
      limits: [{ max_withdrawal_stroops: 7 }, { ...usdc.fields, max_withdrawal_stroops: 5 }],
    });
    const { limits, pending } = await ask('PUT', { max_withdrawal_stroops: 7 });
    assert.deepEqual([limits, pending], [[entry(NATIVE, { max_withdrawal_stroops: 7n })], []]);
  });

  it('PATCH of another field, or of a native one, keeps the limits of the other assets', async () => {
    await ask('PUT', {
      limits: [{ max_withdrawal_stroops: 7 }, { ...usdc.fields, max_withdrawal_stroops: 5 }],
    });
    const { limits, pending } = await ask('PATCH', { frozen: true, max_withdrawal_stroops: 6 });
    const expected = [
      entry(NATIVE, { max_withdrawal_stroops: 6n }),
      entry(usdc.fields, { max_withdrawal_stroops: 5n }),
    ];
    assert.deepEqual([limits, pending], [expected, []]);
  });

  it('the last limits go together after the delay, and may be revoked until then', async () => {
    await ask('PUT', {
      limits: [{ max_withdrawal_stroops: 7 }, { ...usdc.fields, max_withdrawal_stroops: 5 }],
    });
    const asked = await ask('PATCH', { limits: [] });
    assert.deepEqual([asked.limits.length, asked.other_assets_allowed], [2, false]);
    assert.deepEqual(pendingOf(asked), [['limits', null, null, null, null]]);
    const path = `/v1/wallets/${wallet.id}/policy/pending/${asked.pending[0].id}`;
    const revoked = await world.api('DELETE', path, { token: world.token });
    assert.deepEqual(revoked.body.data, asked.pending[0]);
    assert.deepEqual((await inForce()).pending, []);
  });

  it('one limited asset in the place of another: until then nothing can be paid, and the policy says so', async () => {
    const [one, other] = [usdc.fields, {}].map((asset) => ({
      limits: [{ ...asset, max_withdrawal_stroops: 5 }],
    }));
    await ask('PUT', one);
    const asked = await ask('PATCH', other);
    assert.deepEqual([asked.limits, asked.other_assets_allowed], [[], false]);
    assertError(await pay(1n), 422, 'policy_asset_without_limit');
    // A change that is asked for again keeps its time: first something else.
    await ask('PATCH', one);
    await ask('PATCH', other, hasty);
    await eventually('the new limit is in force', async () => (await inForce()).pending.length === 0);
    await assertPaid(pay(5n));
  });
});

describe('limits that are not valid are 400 at their place, and change nothing', () => {
  const issuer = Keypair.random().publicKey();
  const good = `{"asset_code":"EURC","asset_issuer":"${issuer}","max_withdrawal_stroops":5}`;
  const of = (asset: string, limits = '"max_withdrawal_stroops":5') =>
    `{"limits":[${good},{${asset}${limits}}]}`;
  const faults: [body: string, path: string][] = [
    [of('"asset_code":"USDC",'), '/limits/1/asset_issuer'],
    [of(`"asset_issuer":"${issuer}",`), '/limits/1/asset_code'],
    [of(`"asset_code":"","asset_issuer":"${issuer}",`), '/limits/1/asset_code'],
    [of(`"asset_code":"ABCDEFGHIJKLM","asset_issuer":"${issuer}",`), '/limits/1/asset_code'],
    [of(`"asset_code":"US-D","asset_issuer":"${issuer}",`), '/limits/1/asset_code'],
    [of(`"asset_code":"USDC","asset_issuer":"${issuer.toLowerCase()}",`), '/limits/1/asset_issuer'],
    [of(`"asset_code":"USDC","asset_issuer":"G",`), '/limits/1/asset_issuer'],
    [of(`"asset_code":"native","asset_issuer":"${issuer}",`), '/limits/1/asset_issuer'],
    [of('"asset_code":"XLM",'), '/limits/1/asset_issuer'],
    [of(`"asset_code":5,"asset_issuer":"${issuer}",`), '/limits/1/asset_code'],
    [`{"limits":[${good},${good}]}`, '/limits/1/asset_code'],
    [
      `{"limits":[{"max_withdrawal_stroops":5},{"asset_code":"native","max_rolling_24h_stroops":5}]}`,
      '/limits/1/asset_code',
    ],
    [of('', '"max_withdrawal_stroops":0'), '/limits/1/max_withdrawal_stroops'],
    [of('', '"max_withdrawal_stroops":1.0'), '/limits/1/max_withdrawal_stroops'],
    [of('', '"max_rolling_24h_stroops":1e7'), '/limits/1/max_rolling_24h_stroops'],
    [of('', '"max_rolling_24h_stroops":"5"'), '/limits/1/max_rolling_24h_stroops'],
    [of('', '"max_rolling_24h_stroops":9223372036854775808'), '/limits/1/max_rolling_24h_stroops'],
    [of('', '"max_withdrawal_stroops":null'), '/limits/1'],
    [of('', '"max_withdrawal_stroop":5'), '/limits/1/max_withdrawal_stroop'],
    [of('', '"max_withdrawal_stroops":5,"max_withdrawal_stroops":6'), '/limits'],
    [`{"limits":[${good},null]}`, '/limits/1'],
    ['{"limits":[5]}', '/limits/0'],
    ['{"limits":{}}', '/limits'],
    ['{"limits":"native"}', '/limits'],
    ['{"limits":[{"max_withdrawal_stroops":5}],"max_withdrawal_stroops":6}', '/max_withdrawal_stroops'],
    ['{"limits":[{"max_withdrawal_stroops":5}],"max_rolling_24h_stroops":6}', '/max_rolling_24h_stroops'],
    [
      `{"limits":[${Array.from({ length: 101 }, (_, index) => good.replace('EURC', `A${index}`))}]}`,
      '/limits',
    ],
  ];
  for (const [body, path] of faults) {
    it(`${path}: ${body.slice(0, 300).replaceAll(issuer, 'G…').replaceAll(good, '…').slice(0, 90)}`, async () => {
      for (const method of ['PUT', 'PATCH']) assertFault(await policy(method, body), path);
      const { limits, other_assets_allowed, pending } = await inForce();
      assert.deepEqual([limits, other_assets_allowed, pending], [[], true, []]);
    });
  }

  it('the native asset in both places with the same limits is one limit; 100 assets are taken', async () => {
    const native = { max_withdrawal_stroops: 5, max_rolling_24h_stroops: 6 };
    const { limits } = await ask('PUT', { limits: [{ asset_code: 'native', ...native }], ...native });
    const expected = { max_withdrawal_stroops: 5n, max_rolling_24h_stroops: 6n };
    assert.deepEqual(limits, [entry(NATIVE, expected)]);
    wallet = await world.newWallet();
    const many = Array.from({ length: 100 }, (_, index) => `${good.replace('EURC', `A${index}`)}`);
    assert.equal((await ask('PUT', `{"limits":[${many}]}`)).limits.length, 100);
  });
});
