/** The signing secret is shown once. No row, no file and no log line of a run has it. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { type RunningService, startRunningService, type Wallet } from '../support/running-service.ts';

let world: RunningService;
let wallet: Wallet;
let receiver: Receiver;
before(async () => {
  const env = { WEBHOOK_ALLOWED_HOSTS: '127.0.0.1', WEBHOOK_RETRY_SECONDS: '1,1,600', LOG_LEVEL: 'trace' };
  world = await startRunningService(env);
  wallet = await world.newWallet();
  receiver = await startReceiver((response, request) => {
    // One that answers with what it was sent: the log of attempts keeps it.
    response.writeHead(receiver.requests.length === 1 ? 500 : 200).end(JSON.stringify(request.headers));
  });
});
after(async () => {
  await receiver.close();
  await world.stop();
});

/** The ways in which a secret could be written: as it is shown, its key, and either of them in hex as a dump has bytes. */
function formsOf(secret: string): Buffer[] {
  const encoded = secret.slice('whsec_'.length);
  const key = Buffer.from(encoded, 'base64');
  const texts = [
    encoded,
    encoded.replaceAll('/', '\\/'),
    Buffer.from(secret).toString('hex'),
    key.toString('hex'),
  ];
  return [key, ...texts.map((text) => Buffer.from(text))];
}

/** Every row of every table as text. */
async function dump(): Promise<string> {
  const rows: { row: string }[] = [];
  for (const { tablename } of await world.query(
    "select tablename from pg_tables where schemaname = 'public'",
  ))
    rows.push(...(await world.query(`select t::text as row from ${tablename} t`)));
  return rows.map(({ row }) => row).join('\n');
}

/** All files of the database, its write-ahead log too. */
function* filesBelow(dir: string): Generator<Buffer> {
  for (const entry of readdirSync(dir, { withFileTypes: true, recursive: true }))
    if (entry.isFile()) yield readFileSync(join(entry.parentPath, entry.name));
}

it('neither when it signs, fails, is rotated, is tested or is shown in the log of deliveries', async () => {
  const base = `/v1/wallets/${wallet.id}/webhooks`;
  const answers: string[] = [];
  const call = async (method: string, path: string, token: string, body?: unknown): Promise<any> => {
    const answer = await world.api(method, path, { token, ...(body !== undefined && { body }) });
    assert.ok(answer.status < 300, answer.text);
    answers.push(answer.text);
    return answer.body.data;
  };
  const made = await call('POST', base, wallet.api_key, { url: receiver.url });
  const rotated = await call('POST', `${base}/${made.id}/rotate-secret`, world.token);
  const secrets = [made.signing_secret, rotated.signing_secret];
  answers.splice(0); // the two that show them
  await call('POST', `${base}/${made.id}/test`, wallet.api_key, { event: 'deposit.test' });
  const { body } = await world.api('POST', `/v1/wallets/${wallet.id}/addresses`, { token: wallet.api_key });
  await world.ledger.pay(await world.ledger.fund(), body.data.address, 5n);
  await eventually('two are delivered', async () => {
    const sql = "select from webhook_deliveries where status = 'delivered'";
    return (await world.query(sql)).length === 2;
  });
  await call('GET', base, wallet.api_key);
  await call('PATCH', `${base}/${made.id}`, world.token, { description: 'mine' });
  for (const { id } of (await call('GET', `${base}/${made.id}/deliveries`, wallet.api_key)).items)
    await call('GET', `${base}/${made.id}/deliveries/${id}`, wallet.api_key);
  await call('GET', `/v1/wallets/${wallet.id}/events?webhook_id=${made.id}`, wallet.api_key);
  await call('DELETE', `${base}/${made.id}`, world.token);
  await world.query('checkpoint');

  const places: [string, Buffer][] = [
    ['another answer', Buffer.from(answers.join('\n'))],
    ['the dump', Buffer.from(await dump())],
    ['the log', Buffer.from(world.service.output())],
    ...[...filesBelow(world.service.data_dir)].map((bytes): [string, Buffer] => ['a file', bytes]),
  ];
  assert.ok(
    places.some(([, bytes]) => bytes.includes(made.id)),
    'the search finds what is there',
  );
  assert.ok(world.service.output().includes(`/webhooks/${made.id}/test`), 'the log is as loud as it can be');
  for (const form of secrets.flatMap(formsOf))
    for (const [place, bytes] of places) assert.ok(!bytes.includes(form), `${form} is in ${place}`);
});
