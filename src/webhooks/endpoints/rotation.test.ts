/** Which secrets sign after rotations, and for how long: verified by the official standardwebhooks package. */
import { strict as assert } from 'node:assert';
import { createHmac } from 'node:crypto';
import { mock, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { eventually } from '../../../test/support/eventually.ts';
import { startDeliveries } from '../../../test/support/webhooks.ts';

const at = await startDeliveries();
const { world, deliverDue } = at;
const { api, clock, deps } = world;
const HOUR_MS = 3_600_000;

async function rotate(): Promise<string> {
  const path = `/v1/wallets/:id/webhooks/${at.endpoint.id}/rotate-secret`;
  const { status, body } = await api('POST', path, { as: await world.login(), body: {} });
  assert.equal(status, 201);
  return body.data.signing_secret;
}

/** An event as it is delivered now; fetching it gives the same headers. */
async function deliverOne(): Promise<{ body: string; headers: Record<string, string> }> {
  await world.deposit();
  await deliverDue();
  const { body, headers } = at.receiver.requests.at(-1) ?? assert.fail('nothing came');
  const events = `/v1/wallets/:id/events?webhook_id=${at.endpoint.id}`;
  const fetched = (await api('GET', events)).body.data.items.at(-1);
  assert.equal(fetched.id, headers['webhook-id']);
  assert.equal(fetched.headers['webhook-signature'], headers['webhook-signature']);
  return { body: body.toString(), headers: headers as Record<string, string> };
}

type Delivered = Awaited<ReturnType<typeof deliverOne>>;

function verifies(secret: string, { body, headers }: Delivered): boolean {
  const machine = mock.method(Date, 'now', () => clock.now().getTime()); // the package checks the timestamp by this clock
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch (error) {
    assert.match(String(error), /No matching signature/);
    return false;
  } finally {
    machine.mock.restore();
  }
}

/** The secrets that a receiver may have now. */
async function verifying(secrets: string[]): Promise<boolean[]> {
  const delivered = await deliverOne();
  return secrets.map((secret) => verifies(secret, delivered));
}

const oldSecrets = (endpoint_id = at.endpoint.id) =>
  deps.db
    .selectFrom('webhook_old_secrets')
    .select(['sealed_secret', 'signs_until'])
    .where('endpoint_id', '=', endpoint_id)
    .orderBy('id')
    .execute();

test('each secret of three rotations signs for its own 24 hours, newest first; X-Svc-Signature is the newest one’s', async () => {
  const secrets = [at.endpoint.signing_secret];
  for (let n = 0; n < 3; n++) {
    secrets.push(await rotate());
    clock.advance(HOUR_MS);
  }
  const { body, headers } = await deliverOne();
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  });
  assert.equal(headers['webhook-signature'], signatures.toReversed().join(' '));
  const newest = createHmac('sha256', secrets.at(-1) ?? '').update(body);
  assert.equal(headers['x-svc-signature'], newest.digest('hex'));
  clock.advance(21 * HOUR_MS - 1);
  assert.deepEqual(
    await verifying(secrets),
    [true, true, true, true],
    'a millisecond before the first one ends',
  );
  clock.advance(1);
  assert.deepEqual(await verifying(secrets), [false, true, true, true]);
  clock.advance(HOUR_MS - 1);
  assert.deepEqual(await verifying(secrets), [false, true, true, true]);
  clock.advance(1);
  assert.deepEqual(await verifying(secrets), [false, false, true, true]);
  clock.advance(HOUR_MS);
  assert.deepEqual(await verifying(secrets), [false, false, false, true]);
});

test('each of several rotations at once keeps the secret that it replaces, and every answered secret signs', async () => {
  const holder = await deps.pool.connect();
  await holder.query(`begin; select from webhook_endpoints where id = '${at.endpoint.id}' for no key update`);
  const rotations = [rotate(), rotate(), rotate()];
  await eventually('two wait, and one for its turn', async () => (await world.blocked()).length === 2);
  await holder.query('commit');
  holder.release();
  const secrets = [at.endpoint.signing_secret, ...(await Promise.all(rotations))];
  assert.equal(new Set(secrets).size, 4);
  assert.deepEqual(await verifying(secrets), [true, true, true, true]);
});

test('the fifth rotation within 24 hours drops the oldest secret: the header holds five signatures at most', async () => {
  const other = await world.register(`${at.receiver.url}/other`);
  await api('POST', `/v1/wallets/:id/webhooks/${other.id}/rotate-secret`, {
    as: await world.login(),
    body: {},
  });
  const secrets = [at.endpoint.signing_secret];
  for (let n = 0; n < 4; n++) secrets.push(await rotate());
  await api('PATCH', `/v1/wallets/:id/webhooks/${other.id}`, {
    as: await world.login(),
    body: { enabled: false },
  });
  assert.deepEqual(await verifying(secrets), [true, true, true, true, true]);
  secrets.push(await rotate());
  assert.deepEqual(await verifying(secrets), [false, true, true, true, true, true]);
  assert.equal((await deliverOne()).headers['webhook-signature']?.split(' ').length, 5);
  assert.equal((await oldSecrets()).length, 4);
  assert.equal((await oldSecrets(other.id)).length, 1, 'another endpoint’s stays');
});

test('old secrets are sealed for their endpoint, and deleted with it', async () => {
  const other = await world.register(`${at.receiver.url}/other`);
  await rotate();
  await rotate();
  const [oldest] = await oldSecrets();
  assert(oldest);
  assert.equal(deps.secrets.open(at.endpoint.id, oldest.sealed_secret), at.endpoint.signing_secret);
  assert.throws(() => deps.secrets.open(other.id, oldest.sealed_secret));
  await api('DELETE', `/v1/wallets/:id/webhooks/${at.endpoint.id}`, { as: await world.login() });
  assert.deepEqual(await oldSecrets(), []);
});
