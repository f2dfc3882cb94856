/** The rotation of the master key, step by step as docs/key-rotation.md says, with a service that is in use. */
import { strict as assert } from 'node:assert';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createKeyRing } from '../../src/vault/master-keys/key-ring.ts';
import type { Answer } from '../support/api.ts';
import { type AppFactor, addApp, challengeOf, codeOf, forgetSteps, prove } from '../support/factors.ts';
import { searchMemory, spellingsOf } from '../support/memory.ts';
import {
  type RunningService,
  startRunningService,
  type User,
  unique,
  type Wallet,
} from '../support/running-service.ts';
import { startService, type TestService, teller, temporaryDirectory } from '../support/service.ts';

const SEALED = {
  wallets: 'sealed_seed',
  webhook_endpoints: 'sealed_secret',
  webhook_old_secrets: 'sealed_secret',
  alert_settings: 'sealed_secret',
  alert_old_webhooks: 'sealed_secret',
  second_factors: 'sealed_secret',
};
const FROM_PAGE = { 'teller-browser': 'active', 'sec-fetch-site': 'same-origin' };
const onLinux = { skip: process.platform === 'linux' ? false : '/proc is Linux’s' };
const KEY_JOURNAL = join(temporaryDirectory(), 'key-journal');

const NEXT = randomBytes(32).toString('base64');
let OLD = '';
let world: RunningService;
let service: TestService;
let user: User;
let app: AppFactor;
let wallet: Wallet;
let endpoint_id: string;
let cookie: string;

/** The environment of a process, or of a command, with these keys. */
const withKeys = (MASTER_KEY: string, MASTER_KEY_PREVIOUS = '') => ({
  ...world.environment,
  KEY_JOURNAL,
  MASTER_KEY,
  MASTER_KEY_PREVIOUS,
  WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
});
const both = () => withKeys(NEXT, OLD);
const keys = (command: string, env = both()) => teller(['keys', command], env);

async function restart(env: Record<string, string>): Promise<void> {
  assert.equal(await service.stop(), 0, service.output());
  service = await startService({ data_dir: world.service.data_dir, env });
}

/** The first bytes of everything sealed, by table: the version, and the id of the key. */
async function prefixes(): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const [table, column] of Object.entries(SEALED)) {
    const rows = await world.query(
      `select distinct encode(substr(${column}, 1, 5), 'hex') as prefix from ${table} where ${column} is not null`,
    );
    found[table] = rows.map(({ prefix }) => prefix).sort();
  }
  return found;
}

const everywhere = (found: string[]) =>
  Object.fromEntries(Object.keys(SEALED).map((table) => [table, found]));
const idOf = (text: string) => createKeyRing([Buffer.from(text, 'base64')]).sealing().id;
const prefixOf = (text: string) => `01${idOf(text)}`;

const newWallet = async (): Promise<Wallet> => {
  const made = await service.api('POST', '/v1/wallets', { token: user.token, body: { name: unique('w') } });
  assert.equal(made.status, 201, made.text);
  return made.body.data;
};

/** Seals one of everything, through the API. */
async function sealEach(): Promise<void> {
  await newWallet();
  const at = { token: user.token, body: { url: `http://127.0.0.1:1/${unique('hook')}` } };
  const ok = (answer: Answer) => assert(answer.status < 300, answer.text);
  ok(await service.api('POST', `/v1/wallets/${wallet.id}/webhooks`, at));
  ok(
    await service.api('POST', `/v1/wallets/${wallet.id}/webhooks/${endpoint_id}/rotate-secret`, {
      token: user.token,
    }),
  );
  ok(await service.api('POST', '/v1/team/alerts/rotate-secret', { token: user.token }));
  ok(await service.api('POST', '/v1/auth/factors/totp', { token: user.token, body: { name: 'Spare' } }));
}

async function assertPays(from: Wallet): Promise<void> {
  const { account: destination } = await newWallet();
  const paid = await service.api('POST', `/v1/wallets/${from.id}/withdraw`, {
    token: user.token,
    headers: { 'idempotency-key': unique('key') },
    body: { destination, amount_stroops: 10_000_000 },
  });
  assert.equal(paid.body.data.status, 'confirmed', paid.text);
}

/** With the password and the authenticator app, whose secret is sealed. */
async function assertLogsIn(): Promise<void> {
  await forgetSteps(world, app.id);
  const { challenge } = await challengeOf(service, user);
  const answer = await prove(service, { challenge, totp: codeOf(app.secret) });
  assert.equal(answer.status, 200, answer.text);
}

const meWith = (token: string) => service.api('GET', '/v1/auth/me', { token });
const meOf = (by: string) => service.api('GET', '/v1/auth/me', { headers: { ...FROM_PAGE, cookie: by } });

function cookieIn({ headers }: Answer): string | null {
  const set = headers.getSetCookie().find((each) => each.startsWith('__Host-teller-session'));
  return set?.split(';')[0] ?? null;
}

async function signIn(email: string, password: string): Promise<string> {
  const body = { email, password };
  const answer = await service.api('POST', '/v1/auth/login', { headers: FROM_PAGE, body });
  return cookieIn(answer) ?? assert.fail(answer.text);
}

/** Writes the port that the service has now into the name of the cookie. */
const atThisPort = (by: string) =>
  by.replace(/^__Host-teller-session-\d+/, `__Host-teller-session-${new URL(service.url).port}`);

before(async () => {
  world = await startRunningService({ KEY_JOURNAL, WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
  ({ service } = world);
  OLD = world.environment.MASTER_KEY as string;
  const other = await world.newUser();
  cookie = await signIn(other.email, other.password);
  user = await world.newUser();
  wallet = await newWallet();
  app = await addApp(world, user);
  const url = 'http://127.0.0.1:1/hook';
  const at = { token: user.token, body: { url } };
  endpoint_id = (await service.api('POST', `/v1/wallets/${wallet.id}/webhooks`, at)).body.data.id;
  const alerts = await service.api('PUT', '/v1/team/alerts', at);
  assert.equal(alerts.status, 200, alerts.text);
  await sealEach();
});
after(async () => {
  await service?.stop();
  await world?.stop();
});

describe('before a rotation', () => {
  it('every row names its key', async () => {
    assert.deepEqual(await prefixes(), everywhere([prefixOf(OLD)]));
  });

  it('the status says that nothing is to do', async () => {
    const { code, output } = await keys('status', withKeys(OLD));
    assert.equal(code, 0, output);
    assert.match(output, /^Key \w{8} seals\./m);
    assert.match(output, /^wallets +2 +0$/m);
    assert.match(output, /^process \S+\/\d+ knows \w{8}$/m);
    assert.match(output, /^Nothing is to do\.$/m);
  });

  it('rotate is refused while a process runs that knows only the old key', async () => {
    const { code, output } = await keys('rotate');
    assert.equal(code, 1);
    assert.match(output, /These processes do not know key \w{8}: \S+\/\d+\. Start them with MASTER_KEY and/);
    assert.deepEqual(await world.query('select key_check from master_keys'), []);
  });

  it('the same key twice is refused, and shown by nobody', async () => {
    const { code, output } = await keys('rotate', withKeys(OLD, OLD));
    assert.equal(code, 1);
    assert.match(output, /MASTER_KEY_PREVIOUS is the same key as MASTER_KEY/);
    assert(!output.includes(OLD));
  });
});

describe('with both keys in every process', () => {
  it('the key of the database goes on sealing, and the status says that rotate is next', async () => {
    const MASTER_KEY_FILE = join(temporaryDirectory(), 'next');
    writeFileSync(MASTER_KEY_FILE, NEXT, { mode: 0o600 });
    await restart({ ...both(), MASTER_KEY: '', MASTER_KEY_FILE, LOG_LEVEL: 'info' });
    await sealEach();
    assert.deepEqual(await prefixes(), everywhere([prefixOf(OLD)]));
    const { output } = await keys('status');
    assert.match(output, /^Next: "teller keys rotate" lets key \w{8} seal\.$/m);
  });

  it('both keys are in locked memory only, and in no environment', onLinux, () => {
    const spellings = [
      ...spellingsOf('old', Buffer.from(OLD, 'base64')),
      ...spellingsOf('next', Buffer.from(NEXT, 'base64')),
    ];
    const found = searchMemory(service.pid, spellings);
    const places = found.map(({ name, isLocked }) => `${name}, ${isLocked ? 'locked' : 'not locked'}`);
    assert.deepEqual([...new Set(places)].sort(), ['next raw, locked', 'old raw, locked']);
    assert(!readFileSync(`/proc/${service.pid}/environ`, 'latin1').includes(OLD));
  });

  it('after rotate everything new is sealed with the new key, at once', async () => {
    const { code, output } = await keys('rotate');
    assert.equal(code, 0, output);
    const id = idOf(NEXT);
    assert.match(output, new RegExp(`^Key ${id} seals from now on\\. Next: "teller keys rewrap"`, 'm'));
    await sealEach(); // at once, whether the process has followed or not
    const found = await prefixes();
    for (const table of Object.keys(SEALED)) assert(found[table]?.includes(prefixOf(NEXT)), table);
    assert.deepEqual(found.wallets, [prefixOf(OLD), prefixOf(NEXT)].sort());
    assert.match(
      service.output(),
      /"key_id":"\w{8}","msg":"the master key that the database names seals from now on"/,
    );
  });

  it('a row of the old key is refused by the database itself', async () => {
    const copy = `insert into wallets (id, owner_id, name, network, account, sealed_seed)
      select id || 'x', owner_id, name, network, account || 'x', sealed_seed from wallets
       where encode(substr(sealed_seed, 2, 4), 'hex') = '${idOf(OLD)}' limit 1`;
    await assert.rejects(world.query(copy), /sealed with another master key, or another key provider/);
  });

  it('a start without the old key is refused while rows may need it', async () => {
    const { code, output } = await keys('verify', withKeys(NEXT));
    assert.equal(code, 1);
    assert.match(output, /may have rows that only key \w{8} opens; given is \w{8}\. Set MASTER_KEY_PREVIOUS/);
  });

  it('rows of both keys are of use', async () => {
    await assertPays(wallet);
    await assertPays(await newWallet());
    await assertLogsIn();
    const { code, output } = await keys('verify');
    assert.equal(code, 0, output);
  });

  it('rewrap seals every row again beside the service, and the journal', async () => {
    const { code, output } = await keys('rewrap');
    const id = idOf(NEXT);
    assert.equal(code, 0, output);
    assert.match(
      output,
      new RegExp(`^Sealed \\d+ rows again, with key ${id}\\. Every row is sealed with key ${id}`, 'm'),
    );
    assert.match(output, /^Recorded \d+ keys of the key journal again\.$/m);
    assert.deepEqual(await prefixes(), everywhere([prefixOf(NEXT)]));
  });

  it('a browser gets a new token, and the token before still counts', async () => {
    const renewed = cookieIn(await meOf(atThisPort(cookie))) ?? assert.fail('no cookie');
    assert.notEqual(renewed, atThisPort(cookie));
    assert.equal((await meOf(atThisPort(cookie))).status, 200);
    const answer = await meOf(renewed);
    assert.equal(answer.status, 200, answer.text);
    assert.equal(cookieIn(answer), null, 'once');
    cookie = renewed;
    assert.equal((await meWith(user.token)).status, 200);
  });

  it('the status says when the old key may go', async () => {
    const { output } = await keys('status');
    assert.match(output, /^Next: after \S+Z, take MASTER_KEY_PREVIOUS \(key \w{8}\) away/m);
  });
});

describe('without the old key', () => {
  it('everything that was sealed before the rotation is of use, and the browser is still logged in', async () => {
    await restart(withKeys(NEXT));
    assert.equal((await meOf(atThisPort(cookie))).status, 200);
    assert.equal((await meWith(user.token)).status, 401, 'a token of the old key');
    await forgetSteps(world, app.id);
    const { challenge } = await challengeOf(service, user);
    const { body } = await prove(service, { challenge, totp: codeOf(app.secret) });
    user.token = body.data.token;
    await assertPays(wallet);
    const { code, output } = await keys('verify', withKeys(NEXT));
    assert.equal(code, 0, output);
    assert.match(output, /Opened with key (\w{8}); key \1 seals\.$/m);
    assert.match((await keys('status', withKeys(NEXT))).output, /^Nothing is to do\.$/m);
  });

  it('the old key is refused', async () => {
    const { code, output } = await keys('verify', withKeys(OLD));
    assert.equal(code, 1);
    const ids = `The database seals with key ${idOf(NEXT)}; given is ${idOf(OLD)}\\.`;
    assert.match(output, new RegExp(`MASTER_KEY is not the one .* ${ids}`));
  });

  it('the audit log has both commands', async () => {
    const rows = await world.query(
      `select entry::json #>> '{target,id}' as id from audit_log where entry::json ->> 'action' = 'command.run'`,
    );
    const ids = rows.map(({ id }) => id);
    for (const command of ['keys rotate', 'keys rewrap']) assert(ids.includes(command), command);
  });
});
