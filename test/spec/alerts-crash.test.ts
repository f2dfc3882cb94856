/** A process that is killed between sending an alert and recording that: the next one sends the alert again, with the same id. */
import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { headerOf, startMailServer } from '../support/mail-server.ts';
import { startReceiver } from '../support/receiver.ts';
import { startService } from '../support/service.ts';

const server = await startMailServer();
const receiver = await startReceiver();
const env = {
  SMTP_URL: server.url,
  MAIL_FROM: 'teller@example.com',
  WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
};
let service = await startService({ env });
after(async () => {
  await receiver.close();
  await server.close();
  assert.equal(await service.stop(), 0, service.output());
});

it('an alert that was sent and not recorded comes again after kill -9, and none is lost', async () => {
  const { api, data_dir } = service;
  const token = await service.login();
  const body = { url: receiver.url };
  assert.equal((await api('PUT', '/v1/team/alerts', { token, body })).status, 200);
  await eventually(
    'the alert of the change',
    async () => receiver.requests.length === 1 && server.mails.length === 1,
  );

  receiver.answer(() => undefined); // nobody learns that it came
  server.answer = 'hang';
  const invited = { email: 'grace@example.com', role: 'viewer' };
  const inviting = api('POST', '/v1/team/invitations', { token, body: invited }).catch(() => 'lost');
  await eventually('the alert', async () => receiver.requests.length === 2 && server.mails.length === 3);
  await service.kill();
  await inviting;

  receiver.answer(200);
  server.answer = 'take';
  service = await startService({ data_dir, env });
  await eventually(
    'the alert once more',
    async () => receiver.requests.length === 3 && server.mails.length === 4,
  );
  const [, first, second] = receiver.requests;
  assert.equal(first?.headers['webhook-id'], second?.headers['webhook-id']);
  assert.deepEqual(first?.body, second?.body);
  const ids = server.to('demo@example.com').map((mail) => headerOf(mail, 'Message-ID'));
  assert.equal(ids.length, 3);
  assert.equal(ids[1], ids[2]);
});
