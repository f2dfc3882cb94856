import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fc from 'fast-check';
import type { AuditEntry } from '../../dashboard/src/api/contract.ts';
import { parseExact } from '../../dashboard/src/api/exact-json.ts';
import { changeOf, factIn } from '../../dashboard/src/pages/audit/facts.ts';
import { SENTENCES, sentenceOf } from '../../dashboard/src/pages/audit/sentences.ts';
import { inPlainText, type Names, type Thing, toldOf } from '../../dashboard/src/pages/audit/told.ts';
import { actionInWords } from '../../dashboard/src/text/audit-actions.ts';
import { ACTIONS } from '../../src/audit/actions.ts';

const ISSUER = 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';
const USDC = { asset_code: 'USDC', asset_issuer: ISSUER };
const NATIVE = { asset_code: 'native', asset_issuer: null };

const NAMES: Names = {
  wallets: new Map([['wal_1', 'Payroll']]),
  members: new Map([
    ['usr_1', { name: 'Demo', email: 'demo@example.com' }],
    ['usr_2', { name: 'Ada', email: 'ada@example.com' }],
  ]),
  service_users: new Map([['svu_1', 'Backend']]),
  payees: new Map([['pye_1', 'Northwind']]),
};
const NO_NAMES: Names = {
  wallets: new Map(),
  members: new Map(),
  service_users: new Map(),
  payees: new Map(),
};

type Given = Partial<Pick<AuditEntry, 'actor' | 'target' | 'wallet_id' | 'before' | 'after' | 'session_id'>>;

const entryOf = (action: string, given: Given = {}): AuditEntry => ({
  seq: 7,
  id: 'aud_1',
  at: '2026-11-25T09:44:11.021Z',
  actor: { kind: 'user', id: 'usr_1', name: 'demo@example.com' },
  session_id: null,
  ip: null,
  action,
  target: { kind: 'thing', id: null },
  wallet_id: 'wal_1',
  before: null,
  after: null,
  hash: '',
  ...given,
});

/** Without the marks that isolate a foreign text. */
const plain = (text: string) => text.replaceAll(/[\u2068\u2069]/g, '');
const say = (action: string, given: Given = {}, names = NAMES) =>
  plain(inPlainText(sentenceOf(entryOf(action, given), names)));
const linksOf = (action: string, given: Given, names = NAMES) =>
  sentenceOf(entryOf(action, given), names)
    .filter((piece): piece is Thing => typeof piece !== 'string')
    .flatMap(({ path }) => path ?? []);

const STRANGER = { kind: 'stranger', id: null, name: null } as const;
const SERVICE = { kind: 'service', id: null, name: null } as const;
const user = (id: string) => ({ kind: 'user', id });

test('each action of the service has a sentence and a name for the filter, and no other has one', () => {
  assert.deepEqual(Object.keys(SENTENCES).toSorted(), Object.keys(ACTIONS).toSorted());
  assert.deepEqual(
    Object.keys(ACTIONS).filter((action) => actionInWords(action) === action),
    [],
  );
});

test('an action of a later version is shown by its name', () => {
  assert.equal(say('wallet.archived'), 'Demo (demo@example.com) did wallet.archived');
  assert.equal(say('constructor'), 'Demo (demo@example.com) did constructor');
});

test('who signs in, and who is refused', () => {
  assert.equal(
    say('login.succeeded', { after: { kind: 'browser', device: 'Firefox' } }),
    'Demo (demo@example.com) signed in',
  );
  assert.equal(
    say('login.succeeded', { after: { kind: 'browser', known_device: false } }),
    'Demo (demo@example.com) signed in at a device that was not known',
  );
  assert.equal(
    say('login.failed', { actor: STRANGER, target: user('usr_2'), after: { kept_back_ms: 0 } }),
    'Somebody who was not signed in tried to sign in as Ada (ada@example.com), and was refused',
  );
  const session = { kind: 'session', id: 'ses_1' };
  assert.equal(
    say('session.ended', { target: session, session_id: 'ses_1' }),
    'Demo (demo@example.com) signed out',
  );
  assert.equal(
    say('session.ended', { target: session, session_id: 'ses_2' }),
    'Demo (demo@example.com) ended another session of their own',
  );
});

test('a withdrawal has its amount in units with the asset, beyond 2^53 too, and links to its page', () => {
  const after = parseExact(
    `{"asset_code":"native","asset_issuer":null,"amount_stroops":90071992547409931,"destination":"${ISSUER}"}`,
  ) as AuditEntry['after'];
  const given = { target: { kind: 'withdrawal', id: 'wd_1' }, after };
  assert.equal(
    say('withdrawal.requested', given),
    `Demo (demo@example.com) requested a withdrawal of 9,007,199,254.7409931 XLM from the wallet Payroll to ${ISSUER}`,
  );
  assert.deepEqual(linksOf('withdrawal.requested', given), [
    '/wallets/wal_1/withdrawals/wd_1',
    '/wallets/wal_1',
  ]);
  const refund = { ...USDC, amount_stroops: 70_000_000n, refund_of: 'dep_1', reference: 'R-7' };
  assert.equal(
    say('withdrawal.requested', { ...given, after: refund }),
    'Demo (demo@example.com) requested a refund of 7 USDC of GA5Z…KZVN from the wallet Payroll for a deposit “R-7”',
  );
});

test('an approval says how far it is, and a request that ended says why', () => {
  const order = { ...NATIVE, amount_stroops: 5n, comment: 'Checked' };
  assert.equal(
    say('withdrawal.approved', { after: { ...order, counting: 1, approvals_required: 2, sent: false } }),
    'Demo (demo@example.com) approved a withdrawal of 0.0000005 XLM from the wallet Payroll: 1 of 2 approvals, “Checked”',
  );
  assert.equal(
    say('payout.approved', { after: { name: 'October', rows: 12, counting: 2, sent: true } }),
    'Demo (demo@example.com) approved the payout October of the wallet Payroll (12 rows): it has its approvals, and it runs',
  );
  assert.equal(
    say('withdrawal.approval_expired', { actor: SERVICE, after: { reason: 'approval_expired' } }),
    'The service ended a withdrawal from the wallet Payroll that awaited approvals, because its time was over',
  );
});

test('a payout that is started says what it pays', () => {
  const totals = [
    { ...NATIVE, amount_stroops: 2_510_000_000n },
    { ...USDC, amount_stroops: 5n },
  ];
  assert.equal(
    say('payout.started', { after: { name: 'October', rows: 2, totals } }),
    'Demo (demo@example.com) started the payout October of the wallet Payroll: 251 XLM and 0.0000005 USDC of GA5Z…KZVN in 2 rows',
  );
});

test('a changed wallet says what was changed, and calls the wallet as it is called now', () => {
  const settings = { numeric_memo_text: false };
  const change = {
    before: { name: 'Payroll (test 6)', ...settings },
    after: { name: 'Payroll', ...settings },
  };
  assert.equal(
    say('wallet.changed', change),
    'Demo (demo@example.com) changed the wallet Payroll: name “Payroll (test 6)” → “Payroll”',
  );
  assert.deepEqual(linksOf('wallet.changed', change), ['/wallets/wal_1']);
});

test('a wallet that the reader may not open is called by its id, and nothing leads there', () => {
  const given = { target: { kind: 'webhook_endpoint', id: 'whe_1' }, after: { url: 'https://a.example/' } };
  assert.equal(
    say('endpoint.registered', given, NO_NAMES),
    'demo@example.com registered the webhook endpoint https://a.example/ of the wallet wal_1',
  );
  assert.deepEqual(linksOf('endpoint.registered', given, NO_NAMES), []);
  assert.deepEqual(linksOf('endpoint.registered', given), [
    '/wallets/wal_1/developers/webhooks/whe_1',
    '/wallets/wal_1',
  ]);
});

test('a changed policy names its rules in units, and what is to come', () => {
  const before = { frozen: false, limits: null, destinations: null, approvals: null, pending: [] };
  const limits = [{ ...NATIVE, max_withdrawal_stroops: 1_000_000_000n, max_rolling_24h_stroops: null }];
  assert.equal(
    say('policy.changed', { before, after: { ...before, frozen: true, limits } }),
    'Demo (demo@example.com) changed the policy of the wallet Payroll: frozen no → yes; limits none → per withdrawal 100 XLM',
  );
  assert.equal(
    say('policy.changed', { before, after: { ...before, pending: [{ id: 'pch_1', field: 'frozen' }] } }),
    'Demo (demo@example.com) changed the policy of the wallet Payroll, and announced 1 change that will allow more',
  );
});

test('an allow list names its payees, with id and address; a deleted payee has no name any more', () => {
  const before = { destinations: [ISSUER] };
  const entries = [`pye_1 ${ISSUER} memo_id=5 asset=native`, `pye_2 ${ISSUER}`];
  const said = (after: Record<string, unknown>, names?: Names) =>
    say('policy.changed', { before, after }, names).replace(/^.*Payroll: /, '');
  assert.equal(
    said({ destinations: [ISSUER, ...entries] }),
    `destinations added payee “Northwind” (pye_1, ${ISSUER}, memo 5, XLM only), payee pye_2 (${ISSUER})`,
  );
  assert.match(said({ destinations: entries }, NO_NAMES), /added payee pye_1 \(G/);
  const change = { field: 'destinations', destination: entries[0] };
  assert.match(
    say('policy.change_approved', { after: { requested_by: 'usr_2', ...change } }),
    /another destination \(payee “Northwind” \(pye_1, G/,
  );
});

test('a URL whose hidden parts changed is said to have changed, and no limits are not a list without an asset', () => {
  const url = 'https://a.example/?key=…';
  assert.equal(
    say('endpoint.changed', { before: { url }, after: { url, url_changed: true } }),
    `Demo (demo@example.com) changed the webhook endpoint ${url} of the wallet Payroll: url ${url} → ${url}`,
  );
  assert.equal(
    say('policy.changed', { before: { limits: null }, after: { limits: [] } }),
    'Demo (demo@example.com) changed the policy of the wallet Payroll: limits none → every asset refused',
  );
});

test('a change of a long list says what was added and removed; the details have all of it', () => {
  const ips = Array.from({ length: 12 }, (_, index) => `10.0.0.${index}/32`);
  const before = { allowed_ips: ips.slice(0, 7) };
  const target = { kind: 'service_user', id: 'svu_1' };
  const changed = (allowed_ips: string[] | null) =>
    say('service_user.changed', { target, before, after: { allowed_ips } }).replace(/^.*addresses /, '');
  assert.equal(changed([...ips.slice(1, 7), '10.9.9.9/32']), 'added 10.9.9.9/32 and removed 10.0.0.0/32');
  assert.equal(changed(ips.slice(0, 6)), 'removed 10.0.0.6/32');
  assert.equal(changed(ips.slice(0, 7).toReversed()), 'in another order');
  assert.match(changed(null), / and 2 more → every address$/);
  const entry = entryOf('service_user.changed', { before, after: { allowed_ips: ips } });
  const all = (given: AuditEntry) =>
    plain(inPlainText(changeOf(toldOf(given, NAMES), 'allowed_ips', Number.POSITIVE_INFINITY)));
  assert.equal(all(entry), `added ${ips.slice(7).join(', ')}`);
  assert.equal(
    all({ ...entry, after: { allowed_ips: null } }),
    `${ips.slice(0, 7).join(', ')} → every address`,
  );
});

test('requests of a policy that end say which of them are in force', () => {
  const rules = { frozen: true, limits: null, destinations: null, approvals: null };
  const request = { approvals_required: 1, expires_at: '2026-11-26T00:00:00.000Z', approved_at: null };
  const waiting = { id: 'pch_1', field: 'limits', request };
  const approved = {
    id: 'pch_2',
    field: 'frozen',
    request: { ...request, approved_at: '2026-11-25T00:00:00.000Z' },
  };
  const ended = (pending: object[], frozen: boolean) =>
    say('policy.requests_ended', {
      actor: SERVICE,
      before: { ...rules, pending },
      after: { ...rules, frozen, pending: [] },
    });
  const policy = 'the policy of the wallet Payroll';
  assert.equal(ended([waiting], true), `The service ended what awaited approvals in ${policy}`);
  assert.equal(
    ended([approved], false),
    `The service brought approved changes of ${policy} into force: frozen yes → no`,
  );
  assert.match(ended([approved, waiting], false), / → no, and ended what awaited approvals$/);
});

test('a loosening names what is allowed then', () => {
  const loosening = (change: object) =>
    say('policy.change_approved', { after: { requested_by: 'usr_2', ...change } }).replace(/^.*\): /, '');
  const limit = { field: 'max_withdrawal_stroops', ...USDC };
  assert.equal(
    loosening({ ...limit, limit_stroops: 5n }),
    'a higher limit per withdrawal (0.0000005 USDC of GA5Z…KZVN)',
  );
  assert.equal(loosening({ ...limit, limit_stroops: null }), 'no limit per withdrawal for USDC of GA5Z…KZVN');
  assert.equal(loosening({ field: 'destinations', destination: ISSUER }), `another destination (${ISSUER})`);
  assert.equal(loosening({ field: 'destinations', destination: null }), 'every destination');
  assert.equal(loosening({ field: 'limits', asset_code: null }), 'no limits, so every asset');
  assert.equal(
    loosening({
      field: 'limits',
      ...NATIVE,
      max_withdrawal_stroops: 10_000_000n,
      max_rolling_24h_stroops: null,
    }),
    'the asset XLM (per withdrawal 1 XLM)',
  );
  assert.equal(loosening({ field: 'approvals', approvals: null }), 'no approvals');
  assert.equal(
    say('policy.change_revoked', { before: { field: 'destinations', destination: ISSUER } }),
    `Demo (demo@example.com) revoked a pending change of the policy of the wallet Payroll: another destination (${ISSUER})`,
  );
});

test('rights that are given are named whole: the person, the role and the wallets', () => {
  const did = (action: string, given: Given) =>
    say(action, given).replace(/^Demo \(demo@example\.com\) /, '');
  const ada = { target: { kind: 'member', id: 'usr_2' } };
  const viewer = { role: 'viewer', wallet_ids: ['wal_1'] };
  const operator = { role: 'operator', wallet_ids: null };
  assert.equal(
    did('member.changed', { ...ada, before: viewer, after: operator }),
    'gave the member Ada (ada@example.com) the role operator in place of viewer, for every wallet in place of the wallets Payroll',
  );
  assert.equal(
    did('member.changed', { ...ada, before: viewer, after: { ...viewer, wallet_ids: ['wal_1', 'wal_2'] } }),
    'gave the member Ada (ada@example.com) other wallets: added wal_2',
  );
  assert.equal(
    did('invitation.created', { after: { email: 'new@example.com', ...viewer } }),
    'invited new@example.com with the role viewer, for the wallets Payroll',
  );
  const asked = (change: object) => did('access_change.requested', { after: { target_id: null, ...change } });
  assert.equal(
    asked({ operation: 'changeMember', target_id: 'usr_2', change: { ...operator, before: viewer } }),
    'asked for approvals: change the rights of a member, Ada (ada@example.com): role viewer → operator; wallets Payroll → every wallet',
  );
  assert.equal(
    asked({ operation: 'createServiceUser', change: { name: 'Payer', ...operator } }),
    'asked for approvals: make a service user, Payer with the role operator, for every wallet',
  );
});

test('a change that nobody approved is not said to be approved', () => {
  const after = { operation: 'createApiKey', change: { name: 'CI' } };
  const carriedOut = (approved_by: string[]) =>
    say('access_change.carried_out', { after: { ...after, approved_by } });
  assert.match(carriedOut(['usr_2']), /carried out what others had approved: make an API key, CI$/);
  assert.match(carriedOut([]), /carried out what needed no approvals any more: make an API key, CI$/);
});

test('what members do to themselves has other words than what they do to others', () => {
  const own = { target: { kind: 'member', id: 'usr_1' } };
  const other = { target: { kind: 'member', id: 'usr_2' } };
  assert.equal(say('member.removed', own), 'Demo (demo@example.com) left the team');
  assert.equal(
    say('member.removed', other),
    'Demo (demo@example.com) removed the member Ada (ada@example.com)',
  );
  assert.equal(
    say('member.changed', { ...other, before: { role: 'viewer' }, after: { role: 'operator' } }),
    'Demo (demo@example.com) gave the member Ada (ada@example.com) the role operator in place of viewer',
  );
  assert.equal(
    say('member.added', { ...own, after: { role: 'auditor', invited_by: 'usr_2' } }),
    'Demo (demo@example.com) joined the team with the role auditor, invited by Ada (ada@example.com)',
  );
  const gone = {
    target: { kind: 'member', id: 'usr_9' },
    before: { email: 'old@example.com', role: 'viewer' },
  };
  assert.equal(say('member.removed', gone), 'Demo (demo@example.com) removed the member old@example.com');
});

test('programs, the operator and the service are named as what they are', () => {
  const of = (actor: AuditEntry['actor']) => say('address.created', { actor, after: { label: 'C42' } });
  const made = 'made the deposit address C42 of the wallet Payroll';
  assert.equal(
    of({ kind: 'api_key', id: 'key_1', name: null }),
    `The main API key of the wallet Payroll ${made}`,
  );
  assert.equal(of({ kind: 'api_key', id: 'key_2', name: 'CI' }), `API key “CI” ${made}`);
  assert.equal(of({ kind: 'service_user', id: 'svu_1', name: 'Backend' }), `Service user Backend ${made}`);
  assert.equal(
    of({ kind: 'operator', id: null, name: 'root' }),
    `The operator of the service (account root) ${made}`,
  );
});

test('an e-mail address tells a user from others, from the operator and from the service', () => {
  const called = (name: string) => {
    const members = new Map([['usr_1', { name, email: 'eve@example.com' }]]);
    return say('session.renewed', {}, { ...NAMES, members });
  };
  for (const name of ['Ada', 'Ada\u200b', 'The service', 'The operator of the service (account root)'])
    assert.equal(called(name), `${name} (eve@example.com) renewed a login token`);
  const before = { email: 'ada@example.com' };
  const target = { kind: 'member', id: 'usr_9' };
  assert.equal(
    say('member.removed', { target, before }, NO_NAMES),
    'demo@example.com removed the member ada@example.com',
  );
});

test('a text of somebody else turns nothing around it', () => {
  const given = { before: { name: 'a' }, after: { name: 'b\u202ec' } };
  assert.match(inPlainText(sentenceOf(entryOf('wallet.changed', given), NAMES)), /“\u2068b\ufffdc\u2069”/);
});

test('a text that a person has chosen is quoted as it is, also when it looks like a time or an id', () => {
  const told = (facts: object) => toldOf(entryOf('address.created', { after: { ...facts } }), NAMES);
  const words = (facts: object, name: string) => plain(inPlainText(factIn(told(facts), { ...facts }, name)));
  for (const text of ['2026-11-25T09:44:11.021Z', '2026-99-99T1Z', 'wal_1', ''])
    for (const name of ['name', 'label', 'reference', 'idempotency_key', 'comment']) {
      assert.equal(words({ [name]: text }, name), `“${text}”`);
      assert.equal(words({ metadata: { a: [text] } }, 'metadata'), `a “${text}”`);
    }
  assert.equal(words({ expires_at: '2026-99-99T1Z' }, 'expires_at'), '2026-99-99T1Z');
});

test('names in metadata turn nothing around them, whatever they are', () => {
  const metadata = { constructor: 'x', 'b\u202ec': 1, rawJSON: '\u202e7' };
  const told = toldOf(entryOf('address.created', { after: { metadata } }), NAMES);
  assert.equal(
    inPlainText(factIn(told, told.after, 'metadata')),
    'constructor “\u2068x\u2069”, \u2068b\ufffdc\u2069 1, \u2068rawJSON\u2069 “\u2068\ufffd7\u2069”',
  );
});

/** What no version of the service writes, and what each of them may leave out. */
const odd: fc.Arbitrary<unknown> = fc.constantFrom<unknown>(
  null,
  undefined,
  true,
  '',
  'text',
  'wal_1',
  'usr_9',
  '2026-11-25T09:44:11.021Z',
  '2026-99-99T1Z',
  'limits',
  'destinations',
  'max_withdrawal_stroops',
  7,
  7n,
  [],
  [null, undefined, ['x'], { a: null }],
  {},
  { a: { b: { c: { d: { e: null } } } }, amount_stroops: 5n },
  parseExact('9007199254740993'),
  { rawJSON: { toString: 1 } },
  { constructor: 'x', wallet_ids: ['2026-99-99T1Z'] },
);
const FACTS = [
  'name email role label url type reason comment wallet_ids invited_by requested_by operation change totals rows',
  'asset_code asset_issuer amount_stroops destination refund_of payout_id reference counting approvals_required',
  'sent approved ended count replaced codes_left method pending required known_device disabled_reason field',
  'secret_rotated last_four address_id endpoint_id deliveries kinds limits approvals max_withdrawal_stroops metadata',
  'idempotency_key expires_at constructor limit_stroops target_id approved_by request',
].flatMap((line) => line.split(' '));
const facts = fc.option(
  fc.dictionary(fc.constantFrom(...FACTS), odd, { maxKeys: FACTS.length }).map((given) => given as object),
);
const nullable = (...texts: string[]) => fc.option(fc.constantFrom(...texts));

test('property: no shape of an entry makes a sentence or a fact say “undefined”, “null” or “[object Object]”', () => {
  const entries = fc.record({
    action: fc.constantFrom(...Object.keys(ACTIONS), 'later.action'),
    actor: fc.record({
      kind: fc.constantFrom('user', 'service_user', 'api_key', 'operator', 'service', 'stranger'),
      id: nullable('usr_1', 'svu_1', 'key_1'),
      name: nullable('grace@example.com'),
    }),
    target: fc.record({ kind: fc.constant('thing'), id: nullable('usr_1', 'wd_1', 'svu_9', 'createWallet') }),
    wallet_id: nullable('wal_1', 'wal_9'),
    session_id: nullable('ses_1'),
    before: facts,
    after: facts,
  });
  const isClean = (text: string) =>
    assert.doesNotMatch(text, /undefined|\bnull\b|\[object|NaN|^\s|\s$|\s[,;:]|\s\s/);
  fc.assert(
    fc.property(entries, fc.constantFrom(NAMES, NO_NAMES), ({ action, ...given }, names) => {
      const entry = entryOf(action, given as Given);
      isClean(inPlainText(sentenceOf(entry, names)));
      const told = toldOf(entry, names);
      for (const name of Object.keys(told.after)) {
        isClean(inPlainText(factIn(told, told.after, name)));
        isClean(inPlainText(changeOf(told, name)));
      }
    }),
    { numRuns: 5_000 },
  );
});
