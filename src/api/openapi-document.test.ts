import { strict as assert } from 'node:assert';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ASKERS } from '../access/changes/access-changes.ts';
import { rolesOf } from '../auth/teams/roles.ts';
import { MEMBERS } from './reference/members.ts';

type Schema = { $ref?: string; type?: string; properties?: object; [more: string]: unknown };
type Content = Record<string, { schema: Schema; example?: unknown; examples?: object }>;
type Operation = {
  operationId: string;
  summary?: string;
  description?: string;
  tags?: string[];
  'x-roles'?: string[];
  parameters?: { name: string; description?: string }[];
  requestBody?: { content: Content };
  responses: Record<string, { $ref?: string; content?: Content }>;
};

const root = join(import.meta.dirname, '..', '..');
const text = readFileSync(join(root, 'docs', 'openapi.json'), 'utf8');
const document = JSON.parse(text);
const operations: Operation[] = Object.values<Record<string, Operation>>(document.paths).flatMap((methods) =>
  Object.values(methods),
);

test('every body and every answer has a schema with a name', () => {
  const inline = operations.flatMap(({ operationId, requestBody, responses }) => {
    const contents = [requestBody?.content, ...Object.values(responses).map(({ content }) => content)];
    return contents
      .flatMap((content = {}) => Object.values(content))
      .filter(({ schema }) => schema.properties && !schema.$ref)
      .map(() => operationId);
  });
  assert.deepEqual(inline, []);
});

test('the guide names every POST that takes no Idempotency-Key, and no other', () => {
  const guide = readFileSync(join(root, 'docs', 'guides', '4-idempotency.md'), 'utf8');
  const [, rows = ''] = guide.split('|---|---|').slice(-2);
  const cells = rows.split('\n').map((row) => row.split('|')[1] ?? '');
  const named = cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name));
  const posts = Object.values<{ post?: Operation }>(document.paths).flatMap(({ post }) => post ?? []);
  const without = posts.filter(
    ({ parameters = [] }) => !parameters.some(({ name }) => name === 'idempotency-key'),
  );
  assert.deepEqual(named.sort(), without.map(({ operationId }) => operationId).sort());
});

test('no name of a schema is given twice, and every reference leads to a schema', () => {
  const ids = globSync('src/**/*.ts', { cwd: root })
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => [...readFileSync(join(root, file), 'utf8').matchAll(/\.meta\(\{\s*id: '(\w+)'/g)])
    .map(([, id]) => id);
  assert.ok(ids.length > 50);
  assert.deepEqual(ids, [...new Set(ids)]);
  for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g))
    assert.ok(name in document.components.schemas, name);
});

test('parts that several schemas have are schemas of their own', () => {
  const seen = new Map<string, string>();
  const visit = (node: unknown, path: string) => {
    if (typeof node !== 'object' || node === null) return;
    if ('properties' in node && path.includes('/')) {
      const part = JSON.stringify(node);
      assert.equal(seen.get(part), undefined, `${path} is the same as ${seen.get(part)}`);
      seen.set(part, path);
    }
    for (const [name, child] of Object.entries(node)) visit(child, `${path}/${name}`);
  };
  for (const [name, schema] of Object.entries(document.components.schemas)) visit(schema, name);
});

test('bounds of 64 bits are exact, also in the words of the description', () => {
  for (const bound of ['9223372036854775807', '18446744073709551615'])
    assert.match(text, new RegExp(`From \\d to ${bound}\\.`));
  assert.match(text, /"maximum": 9223372036854775807,?\n/);
  assert.match(
    text,
    /"not": {\s+"anyOf": \[\s+{\s+"maximum": -1\s+},\s+{\s+"minimum": 18446744073709551616\s+}/,
  );
  assert.doesNotMatch(text, /"maximum": 9007199254740991/, 'no bound that only JavaScript has');
});

test('generators for Go can read it: a path leads to each event, no bound is beyond int64, no choice is open', () => {
  const bodyOf = ({ requestBody }: Operation) => requestBody?.content['application/json']?.schema;
  const { callbacks } = document.paths['/v1/wallets/{id}/webhooks'].post;
  const events = Object.values<{ post: Operation }>(document.webhooks).map(({ post }) => bodyOf(post));
  assert.deepEqual(bodyOf(callbacks.event['{$request.body#/url}'].post), { oneOf: events });
  JSON.parse(text, (name, value) => {
    if (name === 'maximum') assert.ok(value <= 2 ** 63, `${value} is an int64`);
    if (name === 'anyOf') assert.ok(isNullable(value) || isOutside(value), JSON.stringify(value));
    return value;
  });
});

/** ogen takes `anyOf` for a value or null only; between objects it takes `oneOf`. */
function isNullable(choices: Schema[]): boolean {
  return choices.length === 2 && choices[1]?.type === 'null';
}

/** What no uint64 is, under `not`. */
function isOutside(choices: Schema[]): boolean {
  return choices.every(({ minimum, maximum, ...more }) => Object.keys(more).length === 0);
}

test('every operation and parameter is described, and every body and answer has an example', () => {
  const tags = document.tags.map(({ name }: { name: string }) => name);
  for (const { operationId, summary, description, tags: of = [], parameters = [], ...rest } of operations) {
    assert.ok(summary && description, `${operationId} has a summary and a description`);
    assert.ok(
      of.length > 0 && of.every((tag) => tags.includes(tag)),
      `${operationId} has a tag that is described`,
    );
    for (const { name, description: words } of parameters)
      assert.ok(words, `the parameter ${name} of ${operationId} is described`);
    const contents = [
      rest.requestBody?.content,
      ...Object.values(rest.responses).map(({ content }) => content),
    ];
    for (const media of contents.flatMap((content = {}) => Object.values(content)))
      assert.ok('example' in media || 'examples' in media, `${operationId} has an example`);
  }
});

test('every member of a schema is described, by words that are all in use', () => {
  const unused = new Set(Object.keys(MEMBERS));
  const visit = (node: unknown, path: string) => {
    if (typeof node !== 'object' || node === null) return;
    const { properties = {}, ...rest } = node as { properties?: Record<string, Schema> };
    for (const [name, schema] of Object.entries(properties)) {
      const at = `${path}.${name}`;
      assert.ok(schema.$ref || schema.description, `${at} is described`);
      for (const key of [at, name]) if (MEMBERS[key] === schema.description) unused.delete(key);
      visit(schema, at);
    }
    for (const part of Object.values(rest)) visit(part, path);
  };
  for (const [name, schema] of Object.entries(document.components.schemas)) visit(schema, name);
  assert.deepEqual([...unused], []);
});

test('every operation says that it can fail on our side, and all but those of health that it refuses a Host that is not ours', () => {
  for (const { operationId, responses } of operations) {
    for (const status of ['400', '500']) assert.ok(responses[status], `${operationId} ${status}`);
    assert.equal('421' in responses, !['healthz', 'readyz'].includes(operationId), operationId);
  }
});

test('a number of seconds in a query is an integer, with its bounds', () => {
  type Waits = { name: string; schema: { type: string; minimum: number; maximum: number } };
  const waits = operations.flatMap(({ parameters = [] }) =>
    (parameters as Waits[]).filter(({ name }) => name === 'wait_seconds'),
  );
  assert.deepEqual(waits.map(({ schema: { type, minimum, maximum } }) => [type, minimum, maximum]).sort(), [
    ['integer', 0, 30],
    ['integer', 1, 60],
  ]);
});

test('the data of an event has the schema of what a GET shows', () => {
  const dataIn = (content: Content = {}) => {
    const { $ref = '' } = content['application/json']?.schema ?? {};
    return document.components.schemas[$ref.split('/').at(-1) ?? '']?.properties?.data?.$ref;
  };
  const gets = Object.values<Record<string, Operation>>(document.paths).flatMap(({ get }) => get ?? []);
  const shown = new Set(gets.map(({ responses }) => dataIn(responses['200']?.content)));
  const told = Object.entries<{ post: Operation }>(document.webhooks).filter(([name]) => name !== 'ping');
  assert.ok(told.length > 10);
  for (const [event, { post }] of told) {
    const data = dataIn(post.requestBody?.content);
    assert.ok(data !== undefined && shown.has(data), event);
    const [kind = ''] = event.split('.'); // `asset.changed` has a WalletAsset
    assert.ok(data.toLowerCase().endsWith(kind), `${event}: ${data}`);
  }
});

test('each verb of payouts declares the refusals of its own work, and none of another verb', () => {
  const ends = ['network_unavailable', 'ledger_not_caught_up'];
  const decides = [
    'may_not_approve',
    'factor_required',
    'already_decided',
    'order_changed',
    'not_awaiting_approval',
  ];
  const expected: Record<string, string[]> = {
    startPayout: ['wrong_payout_status', 'policy_frozen', 'too_many_waiting'],
    pausePayout: ['wrong_payout_status'],
    resumePayout: ['wrong_payout_status', 'policy_frozen'],
    cancelPayout: ['wrong_payout_status', ...ends],
    retryPayout: ['wrong_payout_status', 'too_many_waiting', 'network_unavailable', 'treasury_unfunded'],
    approvePayout: [...decides, 'policy_frozen'],
    rejectPayout: [...decides, ...ends],
  };
  const own = new Set(Object.values(expected).flat());
  for (const [operation, codes] of Object.entries(expected)) {
    const { responses } = operations.find(({ operationId }) => operationId === operation) as Operation;
    const declared = Object.values(responses).flatMap(({ $ref, ...inline }) => {
      const answer = $ref ? document.components.responses[$ref.split('/').at(-1) ?? ''] : inline;
      return Object.keys(answer.content?.['application/json']?.examples ?? {});
    });
    const names = declared.map((name) => name.replace(/-\d+$/, '')).filter((name) => own.has(name));
    assert.deepEqual(names.sort(), codes.toSorted(), operation);
  }
});

test('a change of access that awaits approvals is for the roles that its route says', () => {
  const others: Record<string, keyof typeof ASKERS> = {
    createApiKey: 'api_keys',
    regenerateApiKey: 'api_keys',
    createPayee: 'payees',
    changePayee: 'payees',
  };
  const names: string[] = document.components.schemas.AccessChange.properties.operation.enum;
  assert.ok(Object.keys(others).every((name) => names.includes(name)));
  for (const name of names) {
    const { 'x-roles': roles } = operations.find(({ operationId }) => operationId === name) ?? {};
    assert.deepEqual(roles, rolesOf(ASKERS[others[name] ?? 'members']), name);
  }
});

/** Why a POST makes nothing for which it would need an Idempotency-Key. Every other POST takes one. */
const MAKE_NOTHING: Record<string, string[]> = {
  'it opens or proves a session, and is of no team yet': [
    'login',
    'proveSecondFactor',
    'acceptInvitation',
    'getServiceToken',
    'renewToken',
    'logout',
    'stepUp',
    'beginPasskeyStepUp',
  ],
  'a person does it to their own login, in a dialog; what is begun twice and not confirmed goes away': [
    'changePassword',
    'beginTotp',
    'confirmTotp',
    'beginPasskey',
    'addPasskey',
    'replaceRecoveryCodes',
  ],
  'there can be only one: the same again is answered or refused': ['addMember', 'addAsset', 'refundDeposit'],
  'it decides, or changes a state': [
    'approveAccessChange',
    'rejectAccessChange',
    'approvePolicyChange',
    'rejectPolicyChange',
    'approveWithdrawal',
    'rejectWithdrawal',
    'approvePayout',
    'rejectPayout',
    'startPayout',
    'pausePayout',
    'resumePayout',
    'cancelPayout',
    'assignDeposit',
  ],
  'it sends again what is there, under the same webhook-id': ['redeliverWebhook', 'replayWebhook'],
  'it checks, and nothing stays': ['previewWithdrawal', 'examineWebhook', 'readInvitation'],
  'it pays with play money that is not of the service': ['payOnSandbox'],
};

test('every POST takes an Idempotency-Key, or makes nothing for a reason that is written down', () => {
  const posts = Object.values<Record<string, Operation>>(document.paths).flatMap(({ post }) => post ?? []);
  const takesKey = ({ parameters = [] }: Operation) =>
    parameters.some(({ name }) => name === 'idempotency-key');
  const [with_key, without] = [posts.filter(takesKey), posts.filter((post) => !takesKey(post))];
  assert.ok(with_key.length > 10);
  assert.deepEqual(
    without.map(({ operationId }) => operationId).sort(),
    Object.values(MAKE_NOTHING).flat().sort(),
  );
});
