/** The operator's freeze of a wallet: `teller wallet …`, beside the running service and without a login. */
import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { tellerStartedOnce as teller } from '../support/commands.ts';
import { eventually } from '../support/eventually.ts';
import { newIssuer } from '../support/issuers.ts';
import {
  assertError,
  startRunningService,
  startSecond,
  unique,
  type Wallet,
} from '../support/running-service.ts';

/** A looser policy takes effect at once: an owner who could undo the operator's freeze would do so at once. */
const world = await startRunningService({ POLICY_DELAY_SECONDS: '0' }, { args: ['--faults'] });
const second = await startSecond(world, { POLICY_DELAY_SECONDS: '3600' });
const both = [world.service, second];
const payer = await world.ledger.fund();
const payee = payer.publicKey();
after(async () => {
  const code = await second.stop();
  await world.stop();
  assert.equal(code, 0, second.output());
});

let wallet: Wallet;
beforeEach(async () => {
  wallet = await world.newWallet();
});

async function network(command: 'halt' | 'resume'): Promise<void> {
  const url = new URL(`/faults/network/${command}`, world.service.rpc_url);
  const headers = { 'content-type': 'application/json' };
  assert.equal((await fetch(url, { method: 'POST', headers, body: '{}' })).status, 200);
}
const operate = (...args: string[]) => teller(['wallet', ...args], world.environment);
async function done(...args: string[]): Promise<string> {
  const { code, output } = await operate(...args);
  assert.equal(code, 0, output);
  return output;
}
const freeze = (...options: string[]) => done('freeze', wallet.id, ...options);
const unfreeze = () => done('unfreeze', wallet.id);
const policy = async (method = 'GET', body?: unknown, service = world.service) => {
  const answer = await service.api(method, `/v1/wallets/${wallet.id}/policy`, { token: world.token, body });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
};
const post = (path: string, body: unknown, key = unique('key'), service = world.service) =>
  service.api('POST', `/v1/wallets/${wallet.id}${path}`, {
    token: world.token,
    headers: { 'idempotency-key': key },
    body,
  });
const pay = (key?: string, service = world.service) =>
  post('/withdraw', { destination: payee, amount_stroops: 5n }, key, service);

async function assertRefused(reason = ''): Promise<void> {
  const message = `The operator of the service has frozen the wallet${reason}: new withdrawals are refused.`;
  for (const service of both) {
    const answer = await pay(undefined, service);
    assertError(answer, 422, 'policy_frozen');
    assert.equal(answer.body.message, message);
  }
}
async function assertPaid(key?: string): Promise<void> {
  const answer = await pay(key);
  assert.equal(answer.status, 201, answer.text);
  assert.equal(answer.body.data.status, 'confirmed', answer.text);
}

describe('teller wallet freeze', () => {
  it('refuses new withdrawals in every process at once, keeps no row, and leaves the key free', async () => {
    const output = await freeze('--reason', ' a login was stolen ');
    assert.match(
      output,
      /^Frozen: wal_\w+ accepts no new withdrawals.*\nWithdrawals that were accepted before continue\./,
    );
    const [rows, key] = [await world.countOf('withdrawals'), unique('key')];
    await assertRefused(' (a login was stolen)');
    assertError(await pay(key), 422, 'policy_frozen');
    assert.equal(await world.countOf('withdrawals'), rows);
    assert.equal(await unfreeze(), `Unfrozen: ${wallet.id} accepts withdrawals again.\n`);
    await assertPaid(key);
  });

  it('refuses refunds and new trust lines too; deposits are credited', async () => {
    await freeze();
    const { hash } = await world.ledger.pay(payer, wallet.account, 7n);
    const [deposit] = await world.depositsOf(wallet, hash);
    assertError(await post(`/deposits/${deposit.id}/refund`, {}), 422, 'policy_frozen');
    const { fields } = await newIssuer(world.ledger, 'FRZ');
    assertError(await post('/assets', fields), 422, 'policy_frozen');
  });

  it('is shown by policy, preview and health', async () => {
    await freeze('--reason', 'why');
    const { frozen, operator_freeze } = await policy();
    assert.equal(frozen, false, 'its owner has not frozen it');
    assert.match(operator_freeze.frozen_at, /Z$/);
    assert.equal(operator_freeze.reason, 'why');
    const preview = await post('/withdraw/preview', { destination: payee, amount_stroops: 5n });
    const problems: { code: string; message: string }[] = preview.body.data.problems;
    assert.match(problems.find(({ code }) => code === 'policy_frozen')?.message ?? '', /operator .*\(why\)/);
    const path = `/v1/wallets/${wallet.id}/health`;
    const health = await world.api('GET', path, { token: wallet.api_key });
    assert.equal(health.body.data.withdrawals.ok, false);
    assert.match(health.body.data.withdrawals.message, /operator of the service has frozen the wallet/);
    await unfreeze();
    assert.equal((await policy()).operator_freeze, null);
  });

  it('no login undoes it, whatever policy the owner asks for', async () => {
    await freeze();
    for (const [method, body] of [
      ['PATCH', { frozen: false }],
      ['PUT', {}],
      ['PATCH', { frozen: true }],
      ['PUT', { frozen: false }],
    ] as const) {
      assert.notEqual((await policy(method, body)).operator_freeze, null);
      await assertRefused();
    }
    assertError(
      await world.api('PATCH', `/v1/wallets/${wallet.id}/policy`, {
        token: world.token,
        body: { operator_freeze: false },
      }),
      400,
    );
    await unfreeze();
    await assertPaid();
  });

  it('a withdrawal that was accepted before is paid', async () => {
    await network('halt');
    const paying = pay();
    await eventually('it is accepted', async () => {
      const rows = await world.query('select from withdrawals where wallet_id = $1', [wallet.id]);
      return rows.length === 1;
    });
    await freeze();
    await network('resume');
    const answer = await paying;
    assert.equal(answer.status, 201, answer.text);
    assert.equal(answer.body.data.status, 'confirmed');
    await assertRefused();
  });

  it('of many withdrawals at once on two processes, each is accepted before it or refused', async () => {
    let frozen = false;
    const late: number[] = [];
    const client = async (service: (typeof both)[number]) => {
      for (;;) {
        const began_frozen = frozen;
        const { status, text } = await pay(undefined, service);
        assert.ok([201, 422].includes(status), text);
        if (began_frozen) late.push(status);
        if (status === 422) return;
      }
    };
    const clients = [...both, ...both].map(client);
    await freeze();
    frozen = true;
    await Promise.all(clients);
    assert.ok(late.every((status) => status === 422));
    const statuses = await world.query('select distinct status from withdrawals where wallet_id = $1', [
      wallet.id,
    ]);
    assert.deepEqual(statuses, [{ status: 'confirmed' }]);
  });

  it('takes back a pending unfreezing, as the owner’s own freeze does', async () => {
    await policy('PUT', { frozen: true });
    await policy('PATCH', { frozen: false }, second);
    assert.equal((await policy('GET', undefined, second)).pending.length, 1);
    await freeze();
    const { frozen, pending } = await policy();
    assert.deepEqual([frozen, pending], [true, []]);
  });
});

describe('teller wallet unfreeze', () => {
  it('leaves the owner’s own freeze, and every other rule', async () => {
    const rules = { frozen: true, max_withdrawal_stroops: 9n, destinations: [payee] };
    const before = await policy('PUT', rules);
    await freeze();
    const { operator_freeze: _, ...rest } = await policy();
    const { operator_freeze: __, ...rest_before } = before;
    assert.deepEqual(rest, rest_before);
    assert.match(await unfreeze(), /Its owner has frozen it too/);
    assert.deepEqual(await policy(), before);
    const answer = await pay();
    assertError(answer, 422, 'policy_frozen');
    assert.equal(answer.body.message, 'The wallet is frozen: new withdrawals are refused.');
  });
});

describe('teller wallet list', () => {
  it('shows every wallet with its team, the owners that the team has now, and who has frozen it', async () => {
    const founder = await world.newUser();
    const other = await world.newWallet(founder.token);
    const by = (method: string, path: string, body: object = {}) =>
      world.api(method, path, { token: founder.token, body });
    const owners = [unique('owner'), unique('owner')].map((name) => `${name}@example.com`);
    for (const email of owners) {
      const member = { email, name: 'Owner', password: 'a long enough secret', role: 'owner' };
      assert.equal((await by('POST', '/v1/team/members', member)).status, 201);
    }
    const viewer = { email: `${unique('viewer')}@example.com`, name: 'V', password: 'a long enough secret' };
    assert.equal((await by('POST', '/v1/team/members', { ...viewer, role: 'viewer' })).status, 201);
    assert.equal((await by('PATCH', '/v1/team', { name: 'Acme Ltd' })).status, 200);
    assert.equal((await by('DELETE', `/v1/team/members/${founder.id}`)).status, 200);
    await freeze('--reason', 'why');
    await policy('PUT', { frozen: true });
    const lines = (await done('list')).split('\n');
    assert.match(lines[0] ?? '', /^ID +NAME +TEAM +OWNERS +ACCOUNT +STATUS +FROZEN$/);
    const line = (id: string) => lines.find((each) => each.startsWith(id)) ?? '';
    assert.match(line(wallet.id), /by the operator since \S+Z: why, and by the owner$/);
    assert.match(line(other.id), new RegExp(` Acme Ltd +${owners.join(' ')} +${other.account} +active +-$`));
    const wallets: any[] = JSON.parse(await done('list', '--json'));
    const { frozen, operator_freeze } = wallets.find(({ id }) => id === wallet.id);
    assert.deepEqual([frozen, operator_freeze.reason], [true, 'why']);
    const { team_id, team_name, owner_emails } = wallets.find(({ id }) => id === other.id);
    assert.deepEqual([team_id, team_name, owner_emails], [founder.id, 'Acme Ltd', owners]);
    assert.equal(JSON.stringify(wallets).includes('seed'), false);
  });
});

describe('a command that cannot be carried out', () => {
  it('says why, ends with code 1 and changes nothing', async () => {
    const refused = async (args: string[], message: RegExp) => {
      const { code, output } = await operate(...args);
      assert.equal(code, 1, output);
      assert.match(output, message);
    };
    const unknown = /^There is no wallet wal_none\. "teller wallet list" shows all\.\n$/;
    await refused(['freeze', 'wal_none'], unknown);
    await refused(['unfreeze', 'wal_none'], unknown);
    await refused(['unfreeze', wallet.id], /is not frozen by the operator\. Nothing was changed\.\n$/);
    await refused(['freeze', wallet.id, '--reason', ' '], /It must have 1 to 200 characters/);
    assert.equal((await policy()).operator_freeze, null);
    await freeze('--reason', 'first');
    const before = await policy();
    await refused(
      ['freeze', wallet.id, '--reason', 'second'],
      /is frozen by the operator already, since \S+Z\. Nothing/,
    );
    assert.deepEqual(await policy(), before);
  });
});
