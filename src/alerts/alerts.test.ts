/** Alerts from the audit log to their receivers, with crashes between any two steps. Time is in the test's hand. */
import { strict as assert } from 'node:assert';
import { after, beforeEach, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { fromJson } from '../../test/support/api.ts';
import { headerOf, startMailServer } from '../../test/support/mail-server.ts';
import { startReceiver } from '../../test/support/receiver.ts';
import { startWebhookWorld } from '../../test/support/webhooks.ts';
import { type Actor, audited, type Deed } from '../audit/audit.ts';
import { userActor } from '../auth/users/actor.ts';
import { DAY_MS } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { giveUpOldAlerts } from './alert-loop.ts';
import { AlertSender } from './alert-sender.ts';
import { replaceAlerts, rotateAlertSecret } from './alert-settings.ts';
import { planAlerts } from './plan-alerts.ts';
import { findSettings } from './settings-store.ts';

const server = await startMailServer();
const receiver = await startReceiver();
const world = await startWebhookWorld({
  SMTP_URL: server.url,
  MAIL_FROM: 'teller@example.com',
  PUBLIC_URL: 'https://teller.example.com',
});
const { deps, clock } = world;
after(async () => {
  await world.close();
  await receiver.close();
  await server.close();
});

let team_id: string;
let owner: Actor;
let secret: string;
let sender: AlertSender;

const emailOf = (id: string) => `${id}@example.com`;
const note = (deed: Omit<Deed, 'team_id'>, actor = owner) =>
  audited(deps, actor, async (_trx, write) => write({ team_id, ...deed }));
const inviteNote = () =>
  note({
    action: 'invitation.created',
    target: { kind: 'invitation', id: 'inv_1' },
    after: { email: 'new@example.com', role: 'viewer' },
  });
const waiting = () => deps.db.selectFrom('alerts').selectAll().where('chain', '=', team_id).execute();

async function plan(by = deps): Promise<void> {
  while (await planAlerts(by));
}

async function sendDue(by = sender): Promise<void> {
  while (await by.step()) await by.idle();
}

async function planAndSend(): Promise<void> {
  await plan();
  await sendDue();
}

/** Each test has a team of its own, with a webhook; what its making alerts of is sent already. */
beforeEach(async () => {
  receiver.answer(200);
  server.answer = 'take';
  const wallet = await world.addWallet();
  team_id = wallet.owner_id;
  owner = userActor({ id: team_id, email: emailOf(team_id) }, null, '203.0.113.7');
  sender = new AlertSender(deps, { random: () => 0.5 });
  await setAlerts({ url: `${receiver.url}/alerts` });
  await planAndSend();
  receiver.requests.length = 0;
  server.mails.length = 0;
});

async function setAlerts(wished: Partial<Parameters<typeof replaceAlerts>[2]>) {
  const all = { url: null, kinds: null, thresholds: [], ...wished };
  const { signing_secret } = await replaceAlerts(deps, { team_id, actor: owner }, all);
  secret = signing_secret ?? secret;
}

test('an entry goes to the webhook, signed, and by mail to the owners', async () => {
  await inviteNote();
  await planAndSend();
  const [request] = receiver.requests;
  assert(request);
  assert.equal(receiver.requests.length, 1);
  const { event, data } = fromJson(request.body.toString()) as any;
  assert.equal(event, 'alert');
  assert.equal(data.kind, 'invitation_created');
  assert.equal(data.message, `${emailOf(team_id)} invited new@example.com with the role viewer.`);
  assert.equal(data.action, 'invitation.created');
  assert.deepEqual(data.actor, { kind: 'user', id: team_id, name: emailOf(team_id) });
  assert.equal(request.headers['webhook-id'], data.id);
  assert.equal(request.headers['webhook-sequence'], undefined);
  assert.equal(
    request.headers['webhook-signature'],
    new Webhook(secret).sign(data.id, clock.now(), request.body.toString()),
  );
  const [mail] = server.mails;
  assert(mail);
  assert.equal(server.mails.length, 1);
  assert.deepEqual(mail.to, [emailOf(team_id)]);
  assert.equal(headerOf(mail, 'Subject'), 'Stellar Teller: somebody was invited');
  assert.match(mail.body, /From: 203\.0\.113\.7/);
  assert.match(mail.body, /https:\/\/teller\.example\.com\/team/);
  assert.deepEqual(await waiting(), []);
});

test('several processes make and send an alert once', async () => {
  for (let i = 0; i < 20; i++) await inviteNote();
  const senders = Array.from({ length: 4 }, () => new AlertSender(deps, { random: () => 0.5 }));
  await Promise.all(
    senders.map(async (each) => {
      await plan();
      await sendDue(each);
    }),
  );
  await planAndSend();
  const ids = receiver.requests.map(({ headers }) => headers['webhook-id']);
  assert.equal(ids.length, 20);
  assert.equal(new Set(ids).size, 20);
  assert.equal(server.mails.length, 20);
});

test('a crash before the commit of the plan loses no alert', async () => {
  await inviteNote();
  await assert.rejects(
    deps.db.transaction().execute(async (trx) => {
      const inside = { ...deps, db: trx, clock } as unknown as typeof deps;
      // What plans inside a transaction that never commits is a process that dies before its commit.
      await planAlerts({ ...inside, db: nested(trx) as never });
      throw new Error('crash');
    }),
    /crash/,
  );
  await planAndSend();
  assert.equal(receiver.requests.length, 1);
});

test('a crash between sending and recording sends again after the lease, with the same id', async () => {
  await inviteNote();
  await plan();
  const dies = new AlertSender(withoutRecording(), { random: () => 0.5 });
  await sendDue(dies);
  assert.equal(receiver.requests.length, 1);
  assert.equal(server.mails.length, 1);
  await sendDue();
  assert.equal(receiver.requests.length, 1, 'the lease of the dead process goes on');
  clock.advance(120_000);
  await sendDue();
  assert.equal(receiver.requests.length, 2);
  const [first, again] = receiver.requests;
  assert.equal(first?.headers['webhook-id'], again?.headers['webhook-id']);
  assert.deepEqual(first?.body, again?.body);
  const [mail, repeated] = server.mails;
  assert(mail && repeated);
  assert.equal(headerOf(mail, 'Message-ID'), headerOf(repeated, 'Message-ID'));
  assert.deepEqual(await waiting(), []);
});

test('a mail whose answer is lost is sent again', async () => {
  await setAlerts({});
  await planAndSend();
  server.mails.length = 0;
  await inviteNote();
  server.answer = 'break';
  await planAndSend();
  server.answer = 'take';
  clock.advance(5_000);
  await planAndSend();
  assert.equal(server.mails.length, 2);
});

test('a webhook that fails is tried again by the schedule, and then given up', async () => {
  receiver.answer(500);
  await inviteNote();
  await planAndSend();
  const { webhook_retry_seconds } = deps.config;
  for (const [index, seconds] of webhook_retry_seconds.entries()) {
    clock.advance(seconds * 1000 - 1);
    await sendDue();
    assert.equal(receiver.requests.length, index + 1);
    clock.advance(1);
    await sendDue();
    assert.equal(receiver.requests.length, index + 2);
  }
  assert.deepEqual(await waiting(), []);
  const { last_failure, failing_since, disabled_reason } = await findSettings(deps.db, team_id);
  assert.equal(last_failure, 'the answer had the status 500');
  assert.ok(failing_since);
  assert.equal(disabled_reason, null);
  assert.equal(server.mails.length, 1, 'the mail was sent once');
});

test('a receiver that hangs delays no other one', async () => {
  const slow = team_id;
  receiver.answer(() => undefined);
  await inviteNote();
  await plan();
  await sender.step();
  await receiver.received(1);
  const other = await startReceiver();
  team_id = (await world.addWallet()).owner_id;
  owner = userActor({ id: team_id, email: emailOf(team_id) }, null, '::1');
  await setAlerts({ url: other.url });
  await plan();
  await sender.step();
  await other.received(1);
  await sender.stop();
  await other.close();
  team_id = slow;
  assert.equal((await waiting()).length, 1, 'what was abandoned is sent after its lease');
});

test('after five days of failures the webhook is disabled, visibly, and the owners get a mail', async () => {
  receiver.answer(500);
  for (let day = 0; day <= 5; day++) {
    await inviteNote();
    await planAndSend();
    clock.advance(DAY_MS);
  }
  const settings = await findSettings(deps.db, team_id);
  assert.match(settings.disabled_reason ?? '', /five days/);
  assert.deepEqual(await waiting(), []);
  await planAndSend();
  assert.ok(
    server.mails.some((mail) => headerOf(mail, 'Subject') === 'Stellar Teller: the alerts were changed'),
  );
  const requests = receiver.requests.length;
  await inviteNote();
  await planAndSend();
  assert.equal(receiver.requests.length, requests, 'nothing is sent to it any more');
  receiver.answer(200);
  await setAlerts({ url: `${receiver.url}/alerts` });
  await planAndSend();
  assert.equal(receiver.requests.length, requests + 1, 'saved again, it is sent to');
});

test('a webhook that fails once in a month is not disabled', async () => {
  receiver.answer(500);
  for (let month = 0; month < 3; month++) {
    await inviteNote();
    await planAndSend();
    clock.advance(30 * DAY_MS);
    await deps.db.deleteFrom('alerts').execute();
  }
  assert.equal((await findSettings(deps.db, team_id)).disabled_reason, null);
});

test('a team chooses kinds; mails about the own sign-in, and of changed alerts, are always sent', async () => {
  await setAlerts({ url: `${receiver.url}/alerts`, kinds: [] });
  await planAndSend();
  assert.equal(receiver.requests.length, 1);
  assert.equal(server.mails.length, 1, 'the change itself');
  await inviteNote();
  const target = { kind: 'user', id: team_id };
  await note({ action: 'login.succeeded', target, after: { known_device: false } });
  await note({ action: 'password.changed', target });
  await planAndSend();
  assert.equal(receiver.requests.length, 1);
  assert.deepEqual(
    server.mails.slice(1).map((mail) => headerOf(mail, 'Subject')),
    ['Stellar Teller: sign-in at a new device', 'Stellar Teller: a password was changed'],
  );
});

test('what is concerned and owns the team gets one mail; disabled owners, other roles and other teams get none', async () => {
  const viewer = await addMember('viewer');
  const admin = await addMember('admin');
  const disabled = await addMember('owner', true);
  await note({ action: 'password.changed', target: { kind: 'user', id: team_id } });
  await planAndSend();
  assert.deepEqual(server.mails.flatMap(({ to }) => to).sort(), [emailOf(admin), emailOf(team_id)].sort());
  server.mails.length = 0;
  await note({ action: 'password.reset', target: { kind: 'user', id: viewer } });
  await planAndSend();
  assert.deepEqual(
    server.mails.flatMap(({ to }) => to).sort(),
    [emailOf(admin), emailOf(team_id), emailOf(viewer)].sort(),
  );
  assert.ok(!server.mails.some(({ to }) => to.includes(emailOf(disabled))));
});

test('a webhook that is replaced or removed gets this one alert, with the secret that it knows, and nothing else', async () => {
  const [first, old_secret] = [receiver.requests, secret];
  const other = await startReceiver();
  for (let i = 0; i < 6; i++) await setAlerts({ url: `${other.url}/${i}` });
  await setAlerts({});
  await inviteNote();
  await planAndSend();
  assert.equal(first.length, 7, 'of every change, however many follow');
  for (const { headers, body } of first) {
    const { data } = fromJson(body.toString()) as any;
    assert.equal(data.kind, 'alerts_changed');
    const signature = new Webhook(old_secret).sign(data.id, clock.now(), body.toString());
    assert.equal(headers['webhook-signature'], signature);
  }
  clock.advance(DAY_MS);
  await setAlerts({ kinds: [] });
  await planAndSend();
  assert.equal(first.length, 7, 'for a day');
  await other.close();
});

test('a change from before the alerts are turned off gives its alert, also one that still waits', async () => {
  const first = receiver.requests;
  receiver.answer(500);
  await inviteNote();
  await planAndSend(); // the webhook refuses it: it waits
  server.mails.length = 0;
  receiver.answer(200);
  await inviteNote(); // no process has read this entry yet
  await setAlerts({ kinds: [] });
  await inviteNote();
  clock.advance(60_000);
  first.length = 0;
  await planAndSend();
  const told = first.map(({ body }) => (fromJson(body.toString()) as any).data);
  assert.deepEqual(told.map(({ kind }) => kind).sort(), [
    'alerts_changed',
    'invitation_created',
    'invitation_created',
  ]);
  for (const { kind, message } of told)
    if (kind === 'invitation_created') assert.match(message, /invited new@example\.com/);
  assert.deepEqual(server.mails.map((mail) => headerOf(mail, 'Subject')).sort(), [
    'Stellar Teller: somebody was invited',
    'Stellar Teller: the alerts were changed',
  ]);
});

test('what waits for a webhook goes to that one, with its secret, when the team names another', async () => {
  const [first, old_secret] = [receiver.requests, secret];
  const other = await startReceiver();
  await inviteNote();
  await setAlerts({ url: other.url });
  await inviteNote();
  await planAndSend();
  const idsOf = ({ requests }: typeof other) => requests.map(({ headers }) => headers['webhook-id']);
  assert.equal(first.length, 2, 'the invitation before, and the change');
  assert.equal(other.requests.length, 2, 'the change, and the invitation after it');
  assert.equal(idsOf(receiver).filter((id) => idsOf(other).includes(id)).length, 1);
  for (const { headers, body } of first)
    assert.equal(
      headers['webhook-signature'],
      new Webhook(old_secret).sign(String(headers['webhook-id']), clock.now(), body.toString()),
    );
  await other.close();
});

test('a withdrawal counts as large by the amount that was set when it was requested', async () => {
  const native = { asset_code: 'native', asset_issuer: null };
  await setAlerts({ url: `${receiver.url}/alerts`, thresholds: [{ ...native, amount_stroops: 50n }] });
  await planAndSend();
  receiver.requests.length = 0;
  const target = { kind: 'withdrawal', id: 'wdr_1' };
  await note({ action: 'withdrawal.requested', target, after: { ...native, amount_stroops: 51n } });
  await setAlerts({ url: `${receiver.url}/alerts` });
  await planAndSend();
  const kinds = receiver.requests.map(({ body }) => (fromJson(body.toString()) as any).data.kind);
  assert.deepEqual(kinds.sort(), ['alerts_changed', 'large_payment']);
});

test('a change of the alerts waits for a process that makes alerts, and none of an entry is made twice', async () => {
  await Promise.all([
    plan(),
    ...Array.from({ length: 5 }, () => inviteNote()),
    setAlerts({ url: `${receiver.url}/alerts` }),
    plan(),
    ...Array.from({ length: 5 }, () => inviteNote()),
    setAlerts({ url: `${receiver.url}/alerts` }),
    plan(),
  ]);
  await planAndSend();
  const ids = receiver.requests.map(({ headers }) => headers['webhook-id']);
  assert.equal(ids.length, 12);
  assert.equal(new Set(ids).size, 12);
});

test('with a new secret, both secrets prove that it was replaced', async () => {
  const old_secret = secret;
  const { signing_secret } = await rotateAlertSecret(deps, { team_id, actor: owner });
  await planAndSend();
  const signatures = receiver.requests.map(({ headers }) => headers['webhook-signature']);
  const [request] = receiver.requests;
  const id = String(request?.headers['webhook-id']);
  const signedBy = (by: string) => new Webhook(by).sign(id, clock.now(), String(request?.body));
  assert.deepEqual(signatures.sort(), [signedBy(old_secret), signedBy(signing_secret ?? '')].sort());
});

test('without a mail server and without a webhook nothing waits', async () => {
  await setAlerts({});
  await planAndSend(); // to the webhook before
  server.mails.length = 0;
  const silent = { ...deps, mailer: null };
  await inviteNote();
  await plan(silent);
  assert.deepEqual(await waiting(), []);
  await planAndSend();
  assert.deepEqual(server.mails, [], 'what the plan has passed is not sent later');
});

test('mails that no process can send any more are given up after seven days', async () => {
  await inviteNote();
  await plan();
  await sendDue(new AlertSender({ ...deps, mailer: null }, { random: () => 0.5 }));
  assert.equal((await waiting()).length, 1, 'the mail');
  clock.advance(7 * DAY_MS + 1);
  await giveUpOldAlerts(deps);
  assert.deepEqual(await waiting(), []);
});

test('names cannot begin another header, or another line of the mail', async () => {
  const hostile = 'Eve\r\nBcc: eve@example.com\r\n\r\nFrom: the bank';
  await note({
    action: 'invitation.created',
    target: { kind: 'invitation', id: 'inv_1' },
    after: { email: hostile, role: 'viewer' },
  });
  await note(
    { action: 'password.changed', target: { kind: 'user', id: team_id } },
    { ...owner, name: hostile },
  );
  await planAndSend();
  assert.equal(server.mails.length, 2);
  for (const mail of server.mails) {
    assert.equal(headerOf(mail, 'Bcc'), undefined);
    assert.doesNotMatch(mail.body, /^From: the bank/m);
    assert.doesNotMatch(mail.body, /^Bcc:/m);
  }
});

async function addMember(role: 'owner' | 'admin' | 'viewer', disabled = false): Promise<string> {
  const id = newId('usr', clock.now());
  const email = emailOf(id);
  const row = { id, email, email_folded: email, name: 'Member', password_hash: 'x' };
  const off = disabled ? { disabled_at: clock.now(), enabled_password_hash: 'x' } : {};
  await deps.db.transaction().execute(async (trx) => {
    await trx
      .insertInto('users')
      .values({ ...row, ...off })
      .execute();
    await trx
      .insertInto('team_members')
      .values({ user_id: id, team_id, role, email_folded: email })
      .execute();
  });
  return id;
}

/** A process that dies before it can record what it has sent. */
function withoutRecording() {
  const db = new Proxy(deps.db, {
    get(target, name) {
      if (name === 'deleteFrom') return () => assert.fail('crash');
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { ...deps, db };
}

/** The transaction, which runs transactions inside itself. */
function nested(trx: object) {
  return new Proxy(trx, {
    get(target, name) {
      if (name === 'transaction')
        return () => ({ execute: (work: (inner: unknown) => unknown) => work(trx) });
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
