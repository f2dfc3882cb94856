import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { showEntry } from '../audit/audit-schema.ts';
import { stringify } from '../http/exact-json.ts';
import { alertMail, wordsOf } from './alert-words.ts';
import { KIND_NAMES } from './kinds.ts';
import { RULES } from './rules.ts';
import { amountOf, toldOf } from './told.ts';

const named = (action: string, after: object | null, before: object | null = null) => ({
  entry: showEntry({
    chain: 'usr_1',
    seq: 7n,
    entry: stringify({
      id: 'aud_1',
      at: '2026-01-02T03:04:05.678Z',
      session_id: null,
      ip: null,
      action,
      actor: { kind: 'user', id: 'usr_1', name: 'grace@example.com' },
      target: { kind: 'user', id: 'usr_2' },
      wallet_id: 'wal_1',
      before,
      after,
    }),
    hash: Buffer.alloc(32),
  }),
});

test('every kind has a rule, and every rule has words for an entry with no facts at all', () => {
  assert.deepEqual([...new Set([...RULES.values()].map(({ kind }) => kind))].sort(), KIND_NAMES.toSorted());
  for (const [action, { kind }] of RULES) {
    const bare = named(action, null);
    assert.match(wordsOf(bare), /^\S.*[.]$/, action);
    const to = { id: 'usr_9', email: 'ada@example.com' };
    const mail = alertMail(kind, bare, { to, team: undefined, public_url: 'http://localhost:3000' });
    assert.match(mail.subject, /^Stellar Teller: \w/, action);
    assert.match(mail.text, /^When: 2026-01-02 03:04:05 UTC$/m);
    assert.match(mail.text, /^From: the machine of the service$/m);
    assert.equal(mail.message_id, 'aud_1.usr_9');
  }
});

test('a rule that asks for facts applies to no entry without them', () => {
  for (const [action, rule] of RULES)
    if (action !== 'policy.changed' && rule.applies)
      assert.equal(rule.applies(toldOf(named(action, null)), []), false, action);
});

test('a user reads what to do about the own account; an owner, what to do about a member', () => {
  const mailTo = (id: string) => {
    const to = { id, email: 'ada@example.com' };
    const reset = { ...named('password.reset', null), target_email: 'ada@example.com' };
    return alertMail('password_changed', reset, { to, team: 'Acme', public_url: 'http://localhost:3000' })
      .text;
  };
  assert.match(mailTo('usr_2'), /^grace@example.com gave the user ada@example.com a new password[.]/);
  assert.match(mailTo('usr_2'), /change your password at once.*\nhttp:\/\/localhost:3000\/account$/m);
  assert.match(mailTo('usr_3'), /remove the member from the team.*\nhttp:\/\/localhost:3000\/team$/m);
});

test('a mail tells where an endpoint is without a link to it', () => {
  const url = 'https://evil.example/hook';
  const facts = named('endpoint.registered', { url });
  assert(wordsOf(facts).includes(url));
  const mailed = {
    to: { id: 'usr_3', email: 'ada@example.com' },
    team: undefined,
    public_url: 'http://localhost:3000',
  };
  assert.match(
    alertMail('endpoint_changed', facts, mailed).text,
    /endpoint https\[:\]\/\/evil\[\.\]example\/hook of/,
  );
});

test('a mail has no name that looks like a link, and the webhook has it', () => {
  const name = 'You won: http://evil.example/';
  const to = { id: 'usr_3', email: 'ada@example.com' };
  const mailed = { to, team: undefined, public_url: 'http://localhost:3000' };
  for (const action of [
    'wallet.created',
    'api_key.created',
    'service_user.created',
    'service_user.removed',
  ]) {
    const facts = named(action, { name }, { name });
    assert(wordsOf(facts).includes(name));
    assert.doesNotMatch(alertMail('api_key_made', facts, mailed).text, /evil/, action);
  }
  const { entry } = named('api_key.regenerated', null);
  const by_key = { entry: { ...entry, actor: { kind: 'api_key' as const, id: 'wal_1', name } } };
  assert.doesNotMatch(alertMail('api_key_made', by_key, mailed).text, /evil/);
});

test('alerts have the names of second factors, service users and named keys', () => {
  const words = (action: string, after: object | null, before: object | null = null) =>
    wordsOf(named(action, after, before));
  assert.equal(
    words('wallet.created', { name: 'Shop' }),
    'grace@example.com made the wallet wal_1, "Shop", with its main API key.',
  );
  assert.equal(
    words('factor.added', { kind: 'passkey', name: 'Laptop' }),
    'grace@example.com added the second factor "Laptop".',
  );
  assert.equal(
    words('service_user.removed', null, { name: 'Backend' }),
    'grace@example.com removed the service user "Backend".',
  );
  assert.equal(
    words('api_key.created', { name: 'Shop' }),
    'grace@example.com made the API key "Shop" of the wallet wal_1.',
  );
});

test('an endpoint makes an alert with another URL and when it is enabled again, and not when it is disabled', () => {
  const rule = RULES.get('endpoint.changed');
  const [on, off] = [true, false].map((enabled) => ({ url: 'https://a.example/', enabled }));
  const isTold = (before: object | null, after: object | null) =>
    rule?.applies?.(toldOf(named('endpoint.changed', after, before)), []);
  assert.equal(isTold(on ?? null, off ?? null), false);
  assert.equal(isTold(on ?? null, on ?? null), false);
  assert.equal(isTold(off ?? null, on ?? null), true);
  assert.equal(isTold(on ?? null, { url: 'https://b.example/', enabled: true, url_changed: true }), true);
  assert.equal(isTold(on ?? null, { ...on, url_changed: true }), true, 'in what is not shown');
  assert.match(
    wordsOf(named('endpoint.changed', on ?? null, off ?? null)),
    /enabled the webhook endpoint .* again[.]$/,
  );
});

test('a payment is large above the amount of exactly its asset', () => {
  const rule = RULES.get('withdrawal.requested');
  const issued = { asset_code: 'USDC', asset_issuer: 'GISSUER' };
  const thresholds = [
    { asset_code: 'native', asset_issuer: null, amount_stroops: 10n },
    { ...issued, amount_stroops: 2n ** 62n },
  ];
  const isLarge = (after: object) =>
    rule?.applies?.(toldOf(named('withdrawal.requested', after)), thresholds);
  const native = { asset_code: 'native', asset_issuer: null };
  assert.equal(isLarge({ ...native, amount_stroops: 10n }), false);
  assert.equal(isLarge({ ...native, amount_stroops: 11n }), true);
  assert.equal(isLarge({ ...issued, amount_stroops: 2n ** 62n }), false);
  assert.equal(isLarge({ ...issued, amount_stroops: 2n ** 62n + 1n }), true);
  assert.equal(isLarge({ ...issued, asset_issuer: 'GOTHER', amount_stroops: 2n ** 63n - 1n }), false);
});

test('a payout gives one alert, by the sum of each asset; its rows give no alert', () => {
  const thresholds = [{ asset_code: 'native', asset_issuer: null, amount_stroops: 10n }];
  const native = (amount_stroops: bigint) => ({ asset_code: 'native', asset_issuer: null, amount_stroops });
  const isTold = (action: string, after: object) =>
    RULES.get(action)?.applies?.(toldOf(named(action, after)), thresholds);
  for (const action of ['payout.started', 'payout.requested']) {
    assert.equal(isTold(action, { name: 'May', totals: [native(10n)] }), false);
    assert.equal(isTold(action, { name: 'May', totals: [native(11n)] }), true);
  }
  assert.equal(isTold('withdrawal.requested', { ...native(11n), payout_id: 'pay_1' }), false);
  const issued = { asset_code: 'USDC', asset_issuer: 'GISSUER', amount_stroops: 2n ** 64n };
  assert.equal(
    wordsOf(named('payout.started', { name: 'May', totals: [native(110_000_000n), issued] })),
    'grace@example.com started the payout "May" of the wallet wal_1: 11 XLM and 1844674407370.9551616 USDC of GISSUER.',
  );
});

test('amounts are shown exactly, in units', () => {
  const of = (amount_stroops: bigint) => amountOf({ amount_stroops, asset_code: 'native' });
  assert.equal(of(1n), '0.0000001 XLM');
  assert.equal(of(150_000_000n), '15 XLM');
  assert.equal(of(2n ** 63n - 1n), '922337203685.4775807 XLM');
});
