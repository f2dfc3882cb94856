import { strict as assert } from 'node:assert';
import { after, beforeEach, test } from 'node:test';
import { headerOf, startMailServer, textOf } from '../../test/support/mail-server.ts';
import { manualClock } from '../../test/support/webhooks.ts';
import { systemClock } from '../lib/clock.ts';
import { createMailer, MAIL_TIMEOUT_MS } from './mailer.ts';

const server = await startMailServer();
after(() => server.close());
beforeEach(() => {
  server.mails.length = 0;
  server.login = null;
  server.answer = 'take';
});

const mailer = createMailer({ smtp_url: server.url, from: 'teller@example.com' }, systemClock);
const MAIL = { to: 'grace@example.com', subject: 'Hello', text: 'One.\n\nTwo.' };

test('a mail goes to one address, from the configured one, with the credentials of the URL', async () => {
  await mailer.send({ ...MAIL, message_id: 'aud_1.usr_1' });
  const [mail] = server.mails;
  assert(mail);
  assert.deepEqual([mail.from, mail.to], ['teller@example.com', ['grace@example.com']]);
  assert.equal(headerOf(mail, 'From'), 'Stellar Teller <teller@example.com>');
  assert.equal(headerOf(mail, 'To'), 'grace@example.com');
  assert.equal(headerOf(mail, 'Message-ID'), '<aud_1.usr_1@example.com>');
  assert.equal(headerOf(mail, 'Auto-Submitted'), 'auto-generated');
  assert.match(headerOf(mail, 'Content-Type') ?? '', /^text\/plain/);
  assert.equal(textOf(mail).trim(), MAIL.text);
  assert.deepEqual(server.login, { user: 'teller', password: 's ecret' });
});

test('no line end in a subject begins another header', async () => {
  for (const end of ['\r\n', '\n', '\r', '\u2028', '\0', '\r\n\r\n']) {
    server.mails.length = 0;
    await mailer.send({ ...MAIL, subject: `Hi${end}Bcc: eve@example.com${end}X-Evil: 1` });
    const [mail] = server.mails;
    assert(mail);
    assert.deepEqual(mail.to, ['grace@example.com']);
    assert.equal(headerOf(mail, 'Bcc'), undefined);
    assert.equal(headerOf(mail, 'X-Evil'), undefined);
    assert.equal(headerOf(mail, 'Subject'), 'Hi Bcc: eve@example.com X-Evil: 1');
    assert.equal(textOf(mail).trim(), MAIL.text);
  }
});

test('an address that looks like several goes to nobody else', async () => {
  for (const to of [
    'grace@example.com,eve@example.com',
    'Grace <eve@example.com>',
    'a@example.com>\r\nRCPT TO:<eve@example.com',
    '"x" <eve@example.com>,y@example.com',
    'grace@example.com\r\nBcc: eve@example.com',
  ]) {
    server.mails.length = 0;
    await mailer.send({ ...MAIL, to }).catch(() => undefined);
    const reached = server.mails.flatMap((mail) => mail.to);
    assert.ok(!reached.includes('eve@example.com'), to);
    for (const mail of server.mails) assert.equal(headerOf(mail, 'Bcc'), undefined, to);
  }
});

test('text that looks like the end of the mail stays inside it', async () => {
  const text = 'a\n.\nMAIL FROM:<eve@example.com>\n..b';
  await mailer.send({ ...MAIL, text });
  assert.equal(server.mails.length, 1);
  assert.equal(server.mails[0] && textOf(server.mails[0]).trim(), text);
});

test('names in other scripts arrive as they were written', async () => {
  await mailer.send({ ...MAIL, subject: 'Größe 東京', text: 'Grüße, 東京' });
  const [mail] = server.mails;
  assert(mail);
  assert.match(headerOf(mail, 'Subject') ?? '', /^=\?UTF-8\?/);
  assert.equal(textOf(mail).trim(), 'Grüße, 東京');
});

test('a mail that the server refuses, or whose answer is lost, is not sent', async () => {
  server.answer = 'refuse';
  await assert.rejects(mailer.send(MAIL), /451/);
  server.answer = 'break';
  await assert.rejects(mailer.send(MAIL));
});

test('a server outside private networks gets nothing without TLS', async () => {
  const { port } = new URL(server.url);
  // It is no private address, and a connection to it goes to the machine itself.
  const outside = createMailer(
    { smtp_url: `smtp://teller:secret@0.0.0.0:${port}`, from: 'teller@example.com' },
    systemClock,
  );
  await assert.rejects(outside.send(MAIL), /SSL|TLS/);
  assert.equal(server.mails.length, 0);
  assert.equal(server.login, null);
});

test('a server that hangs holds a mail for a minute at most', async () => {
  const clock = manualClock();
  server.answer = 'hang';
  const sent = createMailer({ smtp_url: server.url, from: 'teller@example.com' }, clock).send(MAIL);
  await server.received(1);
  clock.advance(MAIL_TIMEOUT_MS);
  await assert.rejects(sent, /longer than 60 s/);
});
