/** What an operator does to users: `teller user …`, beside the running service and without a login. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { tellerStartedOnce as teller, tellerBeside } from '../support/commands.ts';
import { eventually } from '../support/eventually.ts';
import { assertError, joinService, startSecond, type User } from '../support/running-service.ts';
import { type TestService, temporaryDirectory } from '../support/service.ts';

const ROOT = join(import.meta.dirname, '..', '..');

const world = await joinService();
let second: TestService;
before(async () => {
  second = await startSecond(world);
});
const both = () => [world.service, second];
after(async () => {
  const code = await second.stop();
  await world.stop();
  assert.equal(code, 0, second.output());
});

let user: User;
beforeEach(async () => {
  user = await world.newUser();
});

const operate = (...args: string[]) => teller(['user', ...args], world.environment);
async function done(...args: string[]): Promise<string> {
  const { code, output } = await operate(...args);
  assert.equal(code, 0, output);
  return output;
}
const logIn = (password = user.password, service: TestService = world.service) =>
  service.api('POST', '/v1/auth/login', { body: { email: user.email, password } });
const me = (token: string, service: TestService) => service.api('GET', '/v1/auth/me', { token });
async function assertDead(token: string): Promise<void> {
  for (const service of both()) assertError(await me(token, service), 401, 'unauthenticated');
}
const rowOf = async () => (await world.query('select * from users where id = $1', [user.id]))[0];

describe('teller user list', () => {
  it('shows each user with sessions, last login and when it was disabled, and nothing of the password', async () => {
    const text = await done('list');
    assert.match(text, /^EMAIL +NAME +ID +CREATED +LAST LOGIN +SESSIONS +DISABLED SINCE\n/);
    const line = text.split('\n').find((each) => each.startsWith(user.email));
    assert.match(line ?? '', new RegExp(`^${user.email} +Test user +${user.id} +\\S+Z +\\S+Z +1 +-$`));
    const json = await done('list', '--json');
    const shown = JSON.parse(json).find((each: { id: string }) => each.id === user.id);
    const { created_at, last_login_at, ...rest } = shown;
    assert.deepEqual(rest, {
      id: user.id,
      email: user.email,
      name: 'Test user',
      disabled_at: null,
      sessions: 1,
    });
    for (const time of [created_at, last_login_at]) assert.match(time, /Z$/);
    for (const output of [text, json]) assert.doesNotMatch(output, /argon2|password/i);
  });

  it('a name with control characters does not reach the terminal as it is', async () => {
    await world.query('update users set name = $2 where id = $1', [user.id, 'a\u001b[31m\nb']);
    const text = await done('list');
    assert.ok(text.includes('a\ufffd[31m\ufffdb'), text);
  });
});

describe('teller user disable', () => {
  it('ends every session in every process at once, and refuses the login like a wrong password', async () => {
    const tokens = [user.token, (await logIn(user.password, second)).body.data.token];
    const wrong = await logIn('not the password');
    const output = await done('disable', user.email.toUpperCase());
    assert.match(
      output,
      /^Disabled: .*Every session has ended.*\nService users .*\nThe wallets go on: their API keys work/,
    );
    for (const token of tokens) await assertDead(token);
    const words = ({ text, body }: typeof wrong) => text.replace(body.error.request_id, '');
    for (const service of both()) {
      const refused = await logIn(user.password, service);
      assertError(refused, 401, 'wrong_credentials');
      assert.equal(words(refused), words(wrong));
    }
    const listed = JSON.parse(await done('list', '--json'));
    const shown = listed.find((each: { id: string }) => each.id === user.id);
    assert.equal(shown.sessions, 0);
    assert.match(shown.disabled_at, /Z$/);
  });

  it('disables the user with this e-mail, and none whose e-mail a database would take for it', async () => {
    const name = `${user.email.split('@')[0]}`;
    for (const email of [`I\u0307${name}@example.com`, `i${name}@example.com`]) {
      const body = { email, name: 'Other', password: user.password, role: 'viewer' };
      assert.equal((await world.api('POST', '/v1/team/members', { token: world.token, body })).status, 201);
    }
    assert.match(await done('disable', `i\u0307${name}@EXAMPLE.com`), /^Disabled: İ/);
    const listed = JSON.parse(await done('list', '--json'));
    const isDisabled = (email: string) =>
      listed.find((each: { email: string }) => each.email === email).disabled_at !== null;
    assert.deepEqual([`İ${name}@example.com`, `i${name}@example.com`].map(isDisabled), [true, false]);
  });

  it('of several users with one e-mail names them, and takes the id; --another makes one more', async () => {
    const body = { email: user.email, name: 'Other', password: 'a long enough secret', role: 'viewer' };
    const added = await world.api('POST', '/v1/team/members', { token: world.token, body });
    const other_id = added.body.data.user_id;
    const { code, output } = await operate('disable', user.email);
    assert.equal(code, 1);
    assert.match(output, /^2 users have the e-mail .* Nothing was changed\. Name one by its id:\n/);
    for (const id of [user.id, other_id]) assert.match(output, new RegExp(`\n  ${id}  in the team "`));
    assert.match(await done('disable', other_id), /^Disabled: /);
    assert.equal((await logIn()).status, 200);
    const env = { ...world.environment, PASSWORD: 'one more long secret' };
    const create = (...args: string[]) => teller(['user', 'create', '--email', user.email, ...args], env);
    assert.match(
      (await create()).output,
      /already exists\. A second one, with a team of its own: --another\.\n$/,
    );
    assert.match((await create('--another')).output, /^Created usr_/);
    assert.match((await create()).output, /already exists/, 'the same again');
    assert.match(
      (await create('--another')).output,
      /^The password is that of another user with this e-mail/,
    );
    assert.equal((await logIn('one more long secret')).status, 200);
  });

  it('of logins that run at the same time in two processes no session stays', async () => {
    let running = true;
    const tokens: string[] = [];
    const client = async (service: TestService) => {
      while (running) {
        const { status, body } = await logIn(user.password, service);
        if (status === 200) tokens.push(body.data.token);
        if (status === 401 || status === 429) break;
      }
    };
    const clients = both().map(client);
    await eventually('a login', () => tokens.length > 0);
    await done('disable', user.email);
    running = false;
    await Promise.all(clients);
    for (const token of tokens) await assertDead(token);
    assert.equal((await world.query('select from sessions where user_id = $1', [user.id])).length, 0);
  });

  it('the wallets go on: the API key works and a deposit is credited; enabled, the owner logs in as before', async () => {
    const wallet = await world.newWallet(user.token);
    await done('disable', user.email);
    const path = `/v1/wallets/${wallet.id}/balances`;
    for (const service of both())
      assert.equal((await service.api('GET', path, { token: wallet.api_key })).status, 200);
    const payer = await world.ledger.fund();
    const { hash } = await world.ledger.pay(payer, wallet.account, 5n);
    await world.depositsOf(wallet, hash);
    assert.match(await done('enable', user.email), /^Enabled: /);
    await assertDead(user.token);
    const { status, body } = await logIn();
    assert.equal(status, 200);
    assert.equal((await world.api('GET', path, { token: body.data.token })).status, 200);
  });
});

describe('teller user reset-password', () => {
  it('prints a new password, the only one that is right from then on, and ends every session', async () => {
    const output = await done('reset-password', user.email);
    const password = /^New password of \S+: (\S{16})\nIt is shown only now\./.exec(output)?.[1];
    assert.ok(password, output);
    await assertDead(user.token);
    assertError(await logIn(), 401, 'wrong_credentials');
    assert.equal((await logIn(password, second)).status, 200);
  });

  it('of a disabled user: it stays disabled, and has the new password once enabled', async () => {
    await done('disable', user.email);
    const output = await done('reset-password', user.email);
    assert.match(output, /stays disabled/);
    const password = /: (\S{16})\n/.exec(output)?.[1];
    assertError(await logIn(password), 401, 'wrong_credentials');
    await done('enable', user.email);
    assertError(await logIn(), 401, 'wrong_credentials');
    assert.equal((await logIn(password)).status, 200);
  });
});

describe('teller user sessions', () => {
  it('lists the open sessions; --end ends one of them or all', async () => {
    const other = (await logIn()).body.data.token;
    const sessions: { id: string }[] = JSON.parse(await done('sessions', user.email, '--json'));
    assert.deepEqual(Object.keys(sessions[0] ?? {}), [
      'id',
      'kind',
      'device',
      'ip',
      'created_at',
      'last_used_at',
      'expires_at',
    ]);
    const [last, first] = sessions.map(({ id }) => id);
    const text = await done('sessions', user.email);
    assert.match(text, /^ID +KIND +DEVICE +ADDRESS +CREATED +LAST USED +EXPIRES\n/);
    const line = (id?: string) => `${id} +program +node +127[.]0[.]0[.]1( +\\S+Z){3}\\n`;
    assert.match(text, new RegExp(`\\n${line(last)}${line(first)}$`));
    assert.equal(
      await done('sessions', user.email, '--end', `${first}`),
      `Ended: session ${first} of ${user.email}.\n`,
    );
    await assertDead(user.token);
    assert.equal((await me(other, second)).status, 200);
    await done('sessions', user.email, '--end', 'all');
    await assertDead(other);
    assert.equal(await done('sessions', user.email), 'No session is open.\n');
    assert.equal((await logIn()).status, 200);
  });
});

describe('a command that cannot be carried out', () => {
  it('says why on standard error, ends with code 1 and changes nothing', async () => {
    const stranger = await world.newUser();
    const [strange] = await world.query('select id from sessions where user_id = $1', [stranger.id]);
    const before = await rowOf();
    const refusals: [args: string[], message: string][] = [
      ...['disable', 'enable', 'reset-password', 'sessions'].map((command): [string[], string] => [
        [command, 'nobody@example.com'],
        'There is no user nobody@example.com.',
      ]),
      [['enable', user.email], `${user.email} is not disabled. Nothing was changed.`],
      [
        ['sessions', user.email, '--end', strange.id],
        `${user.email} has no session ${strange.id}. Nothing was changed.`,
      ],
    ];
    for (const [args, message] of refusals) {
      const { code, stdout, stderr } = await tellerBeside(['user', ...args], world.environment);
      assert.deepEqual({ code, stdout, stderr }, { code: 1, stdout: '', stderr: `${message}\n` });
    }
    const [[args, message] = assert.fail()] = refusals;
    const real = spawnSync(process.execPath, ['bin/teller.js', 'user', ...args], {
      cwd: ROOT,
      env: { ...process.env, ...world.environment },
      encoding: 'utf8',
    });
    assert.deepEqual([real.status, real.stdout, real.stderr], [1, '', `${message}\n`]);
    assert.deepEqual(await rowOf(), before);
    for (const token of [user.token, stranger.token])
      assert.equal((await me(token, world.service)).status, 200);
  });

  it('to disable twice keeps the time and the password of the first', async () => {
    await done('disable', user.email);
    const before = await rowOf();
    const { code, output } = await operate('disable', user.email);
    assert.equal(code, 1);
    assert.equal(output, `${user.email} is disabled already. Nothing was changed.\n`);
    assert.deepEqual(await rowOf(), before);
  });

  it('without a database, or with one that cannot be reached, each command is one line and code 1', async () => {
    const DATA_DIR = temporaryDirectory();
    const unreachable = { ...world.environment, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
    for (const args of [
      ['user', 'list'],
      ['user', 'disable', user.email],
      ['wallet', 'freeze', 'wal_1'],
    ]) {
      const lost = await teller(args, unreachable);
      assert.equal(lost.code, 1);
      assert.match(lost.output, /^Cannot connect to the database: [^\n]+\n$/);
      const none = await teller(args, { DATA_DIR });
      assert.equal(none.code, 1);
      assert.match(none.output, /^There is no database in [^\n]+\n$/);
    }
  });
});
