/** The same request with one Idempotency-Key makes one thing: at once, after each crash, and after its lease. */
import { strict as assert } from 'node:assert';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import { type Answer, call } from '../../test/support/api.ts';
import { type Death, diesAt } from '../../test/support/dying-database.ts';
import { eventually } from '../../test/support/eventually.ts';
import { type InProcessService, startInProcess } from '../../test/support/in-process-service.ts';
import { LOCK_WAITS } from '../../test/support/lock-waits.ts';
import type { Db } from '../db/database.ts';
import { deleteOldRequests } from '../db/idempotent-requests.ts';
import { sessionName } from '../db/session-names.ts';
import type { Deps } from '../deps.ts';
import type { HttpApp } from '../http/http-app.ts';
import { DAY_MS } from '../lib/clock.ts';
import type { Wallet } from '../wallets/access.ts';
import { buildApp } from './app.ts';
import { leaseSeconds } from './repeated-requests.ts';

const LEASE_MS = leaseSeconds({}) * 1_000;

let world: InProcessService;
let wallet: Wallet;
/** Two processes on one database; the database of the first can be replaced. */
let apps: [HttpApp, HttpApp];
let full: HttpApp;
let token: string;
let database: Db;
let later_ms = 0;
let key = '';
let serial = 0;

before(async () => {
  world = await startInProcess();
  wallet = await world.wallet();
  database = world.deps.db;
  const clock = { ...world.deps.clock, now: () => new Date(world.deps.clock.now().getTime() + later_ms) };
  const build = (deps: Deps) => buildApp({ ...deps, clock }, {} as Parameters<typeof buildApp>[1]);
  apps = [await build({ ...world.deps, db: viewOf(() => database) }), await build(world.another())];
  const { config } = world.deps;
  const team_quotas = { ...config.team_quotas, addresses: 0 };
  full = await build({ ...world.another(), config: { ...config, team_quotas } });
  for (const app of [...apps, full]) await app.listen({ host: '127.0.0.1', port: 0 });
  const body = { email: 'owner@example.com', password: 'correct horse' };
  token = (await call(urlOf(apps[0]), 'POST', '/v1/auth/login', { body })).body.data.token;
});
after(async () => {
  for (const app of [...apps, full]) await app.close();
  await world.close();
});
beforeEach(() => {
  key = `key-${++serial}`;
});

/** A database whose members are those of others. */
function viewOf(dbOf: (name: keyof Db) => Db): Db {
  return new Proxy({} as Db, {
    get: (_, name: keyof Db) => {
      const db = dbOf(name);
      const member: unknown = db[name];
      return typeof member === 'function' ? member.bind(db) : member;
    },
  });
}

const urlOf = (app: HttpApp) => `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
const create = (app = apps[0], body: object = { label: key }, idempotency_key = key) => {
  const headers = { 'idempotency-key': idempotency_key };
  return call(urlOf(app), 'POST', `/v1/wallets/${wallet.id}/addresses`, { token, headers, body });
};
const codeOf = ({ status, body }: Answer): number | string => (status < 300 ? status : body.error.code);
const isReplay = ({ headers }: Answer) => headers.get('idempotency-replayed') === 'true';
const made = async (label = key) => {
  const { rows } = await world.deps.pool.query('select id from deposit_addresses where label = $1', [label]);
  return rows.map(({ id }) => id as string);
};
/** What the database has of the key. */
const stateOf = async (of: string): Promise<'nothing' | 'in_flight' | 'made' | 'answered'> => {
  const sql = 'select state, answer from idempotent_requests where key_hash = sha256(convert_to($1, $2))';
  const [row] = (await world.deps.pool.query(sql, [of, 'utf8'])).rows;
  if (!row) return 'nothing';
  return row.answer === null ? row.state : 'answered';
};
/** The process that makes it loses its database at one statement. */
const createDying = async (death: Death): Promise<Answer> => {
  const url = world.deps.config.database_url ?? '';
  let answer: Answer | undefined;
  await diesAt({ url, name: sessionName() }, death, async (db) => {
    database = db;
    answer = await create();
  });
  database = world.deps.db;
  return answer ?? assert.fail('no answer');
};
/** What the same request gets at once, and when the lease is over. */
const REPEATS = {
  nothing: [201, 201],
  in_flight: ['idempotency_key_in_flight', 201],
  made: ['idempotency_key_in_flight', 'idempotency_answer_lost'],
  answered: [201, 201],
};
const waitingForLocks = async () => (await world.deps.pool.query(LOCK_WAITS)).rowCount;

test('the same request at two processes at once makes one address, and then every repeat gets its answer', async () => {
  const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => create(apps[n % 2])));
  const [first, ...others] = answers.filter((answer) => answer.status === 201 && !isReplay(answer));
  assert.ok(first);
  assert.deepEqual(others, []);
  for (const answer of answers.filter((each) => each !== first)) {
    if (answer.status === 201) assert.equal(answer.text, first.text);
    else {
      assert.equal(codeOf(answer), 'idempotency_key_in_flight');
      assert.equal(answer.headers.get('retry-after'), '1');
    }
  }
  const again = await create(apps[1]);
  assert.ok(isReplay(again));
  assert.equal(again.text, first.text);
  assert.equal(again.headers.get('content-type'), first.headers.get('content-type'));
  assert.deepEqual(await made(), [first.body.data.id]);
});

test('many requests of a team in one line: each claim gets what its own request made', async () => {
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) => create(apps[0], { label: key }, `${key}-${n}`)),
  );
  const again = await Promise.all(answers.map((_, n) => create(apps[0], { label: key }, `${key}-${n}`)));
  assert.deepEqual(
    again.map(({ text }) => text),
    answers.map(({ text }) => text),
  );
  const ids = answers.map((answer) => answer.body.data.id);
  const sql = 'select target_id from idempotent_requests where target_id = any($1)';
  assert.equal((await world.deps.pool.query(sql, [ids])).rows.length, 12);
});

test('a key that is used with another body, or is not well formed, makes nothing; without a key each request makes one', async () => {
  await create();
  assert.equal(codeOf(await create(apps[0], { label: `${key}-other` })), 'idempotency_key_mismatch');
  assert.equal(
    codeOf(await create(apps[0], { label: `${key}-other` }, 'a'.repeat(256))),
    'idempotency_key_invalid',
  );
  assert.deepEqual(await made(`${key}-other`), []);
  assert.equal((await made()).length, 1);
});

test('a refusal leaves the key free', async () => {
  assert.equal(codeOf(await create(full)), 'too_many_addresses');
  assert.equal(codeOf(await create(full, { label: 1 })), 'invalid_request');
  assert.equal(codeOf(await create()), 201);
});

test('a crash at each statement: the same request again makes the one address, gets its answer, or learns its id', async () => {
  const left = new Set<string>();
  for (const when of ['before', 'after'] as const) {
    for (let at = 1, state = ''; state !== 'answered'; at++) {
      key = `crash-${when}-${at}`;
      await createDying({ at, when });
      const found = await stateOf(key);
      state = found;
      left.add(state);
      const again = await create(apps[1]);
      later_ms += LEASE_MS;
      const after_lease = await create(apps[1]);
      assert.deepEqual([again, after_lease].map(codeOf), REPEATS[found], key);
      const [id, ...more] = await made();
      assert.deepEqual(more, [], key);
      const { data } = after_lease.body;
      assert.equal(data.id, id);
      if (found === 'made') assert.deepEqual(data, { kind: 'deposit_address', id });
    }
  }
  assert.deepEqual([...left].sort(), ['answered', 'in_flight', 'made', 'nothing']);
});

test('the answer to a commit is lost: the first request and each repeat learn at once what was made', async () => {
  const url = world.deps.config.database_url ?? '';
  const left = new Set<string>();
  for (let at = 1, status = 0; status !== 201 && at < 40; at++) {
    key = `lost-${at}`;
    await diesAt({ url, name: sessionName() }, { at, when: 'after' }, async (dying) => {
      database = viewOf((name) => (name === 'transaction' ? dying : world.deps.db));
      const answer = await create();
      status = answer.status;
      const found = await stateOf(key);
      left.add(found);
      if (found !== 'made') return;
      const again = await create(apps[1]);
      const [id] = await made();
      assert.deepEqual([answer, again].map(codeOf), Array(2).fill('idempotency_answer_lost'));
      assert.deepEqual(again.body.data, { kind: 'deposit_address', id });
      assert.match(again.body.message, new RegExp(`: deposit address ${id}\\. Nothing more was made\\.$`));
    });
    database = world.deps.db;
  }
  assert.deepEqual([...left].sort(), ['answered', 'made', 'nothing']);
});

test('a request that may take longer than others keeps its key as long', async () => {
  const holder = await world.deps.pool.connect();
  const path = `/v1/wallets/${wallet.id}/payouts/pay_1/retry-failed`;
  const retry = (app: HttpApp) =>
    call(urlOf(app), 'POST', path, { token, headers: { 'idempotency-key': key }, body: {} });
  try {
    await holder.query('begin; lock table payouts in access exclusive mode');
    const slow = retry(apps[0]);
    await eventually('the first request waits', async () => (await waitingForLocks()) === 1);
    later_ms += 240_000;
    const again = await retry(apps[1]);
    assert.equal(codeOf(again), 'idempotency_key_in_flight');
    assert.equal(again.headers.get('retry-after'), '15', 'not beyond the lease');
    await holder.query('commit');
    assert.equal(codeOf(await slow), 'not_found');
  } finally {
    holder.release();
  }
});

test('no body and an empty object are one request', async () => {
  const path = `/v1/wallets/${wallet.id}/addresses`;
  const headers = { 'idempotency-key': key };
  const first = await call(urlOf(apps[0]), 'POST', path, { token, headers });
  const again = await call(urlOf(apps[1]), 'POST', path, { token, headers, body: {} });
  assert.deepEqual([codeOf(first), codeOf(again)], [201, 201]);
  assert.equal(again.text, first.text);
});

test('a request that outlives its lease rolls back, when another one has taken its place', async () => {
  const holder = await world.deps.pool.connect();
  try {
    await holder.query('begin; lock table deposit_addresses in exclusive mode');
    const slow = create();
    await eventually('the first request waits', async () => (await waitingForLocks()) === 1);
    later_ms += LEASE_MS;
    const second = create(apps[1]);
    await eventually('both wait', async () => (await waitingForLocks()) === 2);
    await holder.query('commit');
    assert.equal(codeOf(await slow), 'idempotency_key_in_flight');
    assert.equal(codeOf(await second), 201);
    assert.deepEqual(await made(), [(await second).body.data.id]);
    assert.equal((await create()).text, (await second).text);
  } finally {
    holder.release();
  }
});

test('a key is kept for a day, and as long as its request is in flight; then it makes another address', async () => {
  const began_ms = Date.now() + later_ms;
  const deleteAt = (ms: number) => deleteOldRequests(world.deps.db, new Date(began_ms + ms));
  await create();
  await deleteAt(DAY_MS - 60_000);
  assert.equal(await stateOf(key), 'answered');
  const in_flight = `${key}-in-flight`;
  await world.deps.pool.query(
    `insert into idempotent_requests (owner_id, operation, key_hash, body_hash, claim_id, lease_until, created_at)
       values ($1, 'createDepositAddress', sha256(convert_to($2, 'utf8')), '', 'slow', $3, $4)`,
    [wallet.owner_id, in_flight, new Date(began_ms + DAY_MS + 120_000), new Date(began_ms)],
  );
  await deleteAt(DAY_MS + 60_000);
  assert.deepEqual([await stateOf(key), await stateOf(in_flight)], ['nothing', 'in_flight']);
  await deleteAt(DAY_MS + 180_000);
  assert.equal(await stateOf(in_flight), 'nothing');
  await create();
  assert.equal((await made()).length, 2);
});
