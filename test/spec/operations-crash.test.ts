/** A crash is the normal stop: nothing is paid twice, lost or reported wrongly. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { openLedger } from '../support/ledger.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { openDatabase } from '../support/running-service.ts';
import { startService, type TestService, temporaryDirectory } from '../support/service.ts';

const env = { WEBHOOK_ALLOWED_HOSTS: '127.0.0.1', WEBHOOK_RETRY_SECONDS: '1,1,1,1,1' };
const data_dir = temporaryDirectory();

let service: TestService;
let token: string;
let wallet: { id: string; account: string };
let receiver: Receiver;
before(async () => {
  service = await startService({ data_dir, env });
  receiver = await startReceiver();
  token = await service.login();
  wallet = (await service.api('POST', '/v1/wallets', { token, body: { name: 'w' } })).body.data;
  const body = { url: receiver.url };
  await service.api('POST', `/v1/wallets/${wallet.id}/webhooks`, { token, body });
});
after(async () => {
  await receiver.close();
  assert.equal(await service.stop(), 0, service.output());
});

const get = async (path: string) =>
  (await service.api('GET', `/v1/wallets/${wallet.id}${path}`, { token })).body.data;
/** What the dead process was doing is left alone for up to a minute; that time passes now. */
async function endLeases(): Promise<void> {
  const db = await openDatabase(data_dir);
  await db.query('update withdrawals set leased_until = now() where settled_at is null');
  await db.query('update webhook_deliveries set leased_until = now() where leased_until is not null');
  await db.query("update webhook_deliveries set next_attempt_at = now() where status = 'pending'");
  await db.end();
}

const withdraw = (key: string, destination: string, amount_stroops: number) =>
  service.api('POST', `/v1/wallets/${wallet.id}/withdraw`, {
    token,
    headers: { 'idempotency-key': key },
    body: { destination, amount_stroops },
  });

describe('after kill -9', () => {
  it('no payment is lost, doubled or reported wrongly, and every event is delivered', async () => {
    const address = (await service.api('POST', `/v1/wallets/${wallet.id}/addresses`, { token })).body.data;
    let ledger = await openLedger(service.rpc_url);
    const payee = (await ledger.fund()).publicKey();
    const keys: string[] = [];
    const deposits: string[] = [];
    for (let round = 0; round < 3; round++) {
      const payer = await ledger.fund();
      deposits.push((await ledger.pay(payer, address.address, 1_000n)).hash);
      const sent = Array.from({ length: 4 }, (_, index) => {
        const key = `kill ${round} ${index}`;
        keys.push(key);
        return withdraw(key, payee, 10 ** (round * 2) + index).catch(() => 'lost');
      });
      // Killed in the midst: when the first is done, or even before.
      if (round > 0) await Promise.any(sent);
      await service.kill();
      await Promise.all(sent);
      service = await startService({ data_dir, env });
      await endLeases();
      ledger = await openLedger(service.rpc_url);
    }

    let expected = 100_000_000_000n;
    for (const key of keys) {
      const query = new URLSearchParams({ idempotency_key: key });
      const settled = await eventually(`the outcome of ${key}`, async () => {
        const { items } = await get(`/withdrawals?${query}`);
        return items.length === 0 ? 'never begun' : items[0].status !== 'pending' && items;
      });
      if (settled === 'never begun') continue;
      assert.equal(settled.length, 1);
      assert.equal(settled[0].status, 'confirmed');
      assert.equal((await ledger.transaction(settled[0].stellar_tx_hash)).status, 'SUCCESS');
      expected += settled[0].amount_stroops;
    }
    assert.equal(
      (await ledger.account(payee))?.balance,
      expected,
      'the ledger has exactly the confirmed ones',
    );

    for (const hash of deposits) {
      const events = await eventually(`the event of ${hash}`, () => {
        const found = receiver.requests.filter(({ body }) => body.includes(hash));
        return found.length > 0 && found;
      });
      for (const { body } of events) assert.deepEqual(body, events[0]?.body);
    }
    const { items } = await get('/deposits?attributed=true');
    assert.deepEqual(items.map((item: any) => item.stellar_tx_hash).sort(), deposits.sort());
  });
});
