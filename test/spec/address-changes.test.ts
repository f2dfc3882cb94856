/** Section 8 of the contract: `PATCH …/addresses/:address_id`. What was attributed and sent before stays as it was. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import { assertError, assertFault, joinService, type Wallet } from '../support/running-service.ts';

const FIRST = '{"order":1,"big":12345678901234567890,"10":2,"2":1}';
const SECOND = '{"order" : 2, "n":1.0}';

const world = await joinService('receivers');
const receiver = await startReceiver();
after(async () => {
  await receiver.close();
  await world.stop();
});

let wallet: Wallet;
before(async () => {
  wallet = await world.newWallet();
  const body = { url: receiver.url };
  await world.api('POST', `/v1/wallets/${wallet.id}/webhooks`, { token: wallet.api_key, body });
});

const base = () => `/v1/wallets/${wallet.id}`;
const create = async (body: unknown = {}) => {
  const answer = await world.api('POST', `${base()}/addresses`, { token: wallet.api_key, body });
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data;
};
const patch = (id: string, body: unknown, token = wallet.api_key) =>
  world.api('PATCH', `${base()}/addresses/${id}`, { token, body });
const read = (path: string) => world.api('GET', `${base()}/${path}`, { token: wallet.api_key });
const eventOf = (hash: string) =>
  eventually(`the event of ${hash}`, () => receiver.requests.find(({ body }) => body.includes(hash)));
async function pay(to: string) {
  const { hash } = await world.ledger.pay(await world.ledger.fund(), to, 100n);
  const [deposit] = await world.depositsOf(wallet, hash);
  return { id: deposit.id, hash };
}

describe('PATCH of a deposit address', () => {
  it('changes what it names, by API key and login alike, and gives the metadata exactly as sent', async () => {
    const address = await create(`{"label":"A","metadata":${FIRST}}`);
    const labelled = await patch(address.id, { label: ' B ' });
    assert.equal(labelled.status, 200, labelled.text);
    assert.deepEqual({ ...labelled.body.data, label: 'A' }, address);
    assert.equal(labelled.body.data.label, 'B');
    assert.ok(labelled.text.includes(`"metadata":${FIRST}`));
    const changed = await patch(address.id, `{"metadata":${SECOND}}`, world.token);
    assert.ok(changed.text.includes(`"metadata":${SECOND}`));
    assert.equal(changed.body.data.label, 'B');
    assert.equal((await patch(address.id, { label: '' })).body.data.label, null);
    assert.ok((await read(`addresses/${address.id}`)).text.includes(`"metadata":${SECOND}`));
    assert.equal((await patch(address.id, {})).status, 200);
    assert.equal(
      (await patch(address.id, { label: null, metadata: null })).body.data.address,
      address.address,
    );
  });

  it('gives later deposits and events the new metadata; those before keep theirs to the byte', async () => {
    const address = await create(`{"metadata":${FIRST}}`);
    const first = await pay(address.address);
    const sent = (await eventOf(first.hash)).body;
    assert.ok(sent.includes(`"metadata":${FIRST}`));
    const shown = (await read(`deposits/${first.id}`)).text;
    assert.equal((await patch(address.id, `{"metadata":${SECOND}}`)).status, 200);
    const second = await pay(address.address);
    assert.ok((await eventOf(second.hash)).body.includes(`"metadata":${SECOND}`));
    assert.ok((await read(`deposits/${second.id}`)).text.includes(`"metadata":${SECOND}`));
    assert.equal((await read(`deposits/${first.id}`)).text, shown);
    await patch(address.id, '{"metadata":{"third":3}}');
    assert.equal((await read(`deposits/${first.id}`)).text, shown);
    assert.ok((await read(`deposits/${second.id}`)).text.includes(`"metadata":${SECOND}`));
    const list = (await read(`deposits?address_id=${address.id}`)).text;
    assert.ok(list.includes(SECOND) && list.includes(FIRST) && !list.includes('third'));
    const { items } = (await read('events')).body.data;
    const of_first = items.find(({ body }: any) => body.includes(first.hash));
    assert.equal(of_first.body, `${sent}`);
  });

  it('gives a deposit that is assigned by hand what the address has at that moment', async () => {
    const address = await create(`{"metadata":${FIRST}}`);
    await patch(address.id, `{"metadata":${SECOND}}`);
    const { id } = await pay(wallet.account);
    const path = `${base()}/deposits/${id}/assign`;
    const assigned = await world.api('POST', path, { token: world.token, body: { address_id: address.id } });
    assert.ok(assigned.text.includes(`"metadata":${SECOND}`), assigned.text);
    await patch(address.id, '{"metadata":{"third":3}}');
    assert.ok((await read(`deposits/${id}`)).text.includes(`"metadata":${SECOND}`));
  });

  it('400 for what an address cannot have, 404 for another wallet, and nothing is changed', async () => {
    const address = await create(`{"label":"A","metadata":${FIRST}}`);
    assertFault(await patch(address.id, { label: 'x'.repeat(201) }), '/label');
    for (const metadata of ['[]', '"a"', '1', `{"a":"${'x'.repeat(16_384)}"}`])
      assert.equal((await patch(address.id, `{"metadata":${metadata}}`)).status, 400, metadata.slice(0, 9));
    assert.equal((await patch(address.id, { memo_id: 5n })).status, 400);
    const other = await world.newWallet();
    assertError(await patch(address.id, { label: 'B' }, other.api_key), 404);
    assertError(await patch('adr_00000000000000000000000000', { label: 'B' }), 404);
    assert.deepEqual((await read(`addresses/${address.id}`)).body.data.label, 'A');
  });

  it('is an entry of the audit log with what was before', async () => {
    const address = await create(`{"label":"A","metadata":${FIRST}}`);
    await patch(address.id, `{"label":"B","metadata":${SECOND}}`);
    const audit = await world.api('GET', '/v1/audit?limit=1', { token: world.token });
    const [entry] = audit.body.data.items;
    assert.equal(entry.action, 'address.changed');
    assert.equal(entry.target.id, address.id);
    assert.deepEqual(entry.before, { label: 'A', metadata: FIRST });
    assert.deepEqual(entry.after, { label: 'B', metadata: SECOND });
  });
});

describe('an address without metadata', () => {
  it('has {} in answers, deposits and events', async () => {
    const address = await create();
    assert.deepEqual(address.metadata, {});
    assert.equal(
      (await world.query('select metadata from deposit_addresses where id = $1', [address.id]))[0].metadata,
      null,
    );
    const { id, hash } = await pay(address.address);
    assert.ok((await eventOf(hash)).body.includes('"metadata":{}'));
    assert.deepEqual((await read(`deposits/${id}`)).body.data.metadata, {});
    await patch(address.id, `{"metadata":${FIRST}}`);
    assert.deepEqual((await read(`deposits/${id}`)).body.data.metadata, {});
  });

  it('and a deposit without an address has none', async () => {
    const { id } = await pay(wallet.account);
    assert.equal((await read(`deposits/${id}`)).body.data.metadata, null);
  });
});
