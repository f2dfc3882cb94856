/** TREASURY_PAYS may change from one start to the next: the books of a wallet agree all the same, to the stroop. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { newIssuer } from '../support/issuers.ts';
import { type Ledger, openLedger } from '../support/ledger.ts';
import { sampleOf } from '../support/metrics-text.ts';
import { startService, type TestService, temporaryDirectory } from '../support/service.ts';

const FEE = 100n;
const data_dir = temporaryDirectory();
let service: TestService;
let ledger: Ledger;
let token: string;

async function startPaying(TREASURY_PAYS: string): Promise<void> {
  await service?.stop();
  service = await startService({ data_dir, env: { TREASURY_PAYS, CHANNELS_MAX: '0' } });
  token = await service.login();
  ledger = await openLedger(service.rpc_url);
}
after(() => service.stop());

let serial = 0;
const call = async (method: string, path: string, body?: unknown) => {
  const headers = { 'idempotency-key': `key-${++serial}` };
  const answer = await service.api(method, path, { token, headers, ...(body ? { body } : {}) });
  assert.ok(answer.status < 300, answer.text);
  return answer.body.data;
};

const funds = async () => sampleOf(await service.metrics(), 'teller_treasury_spendable_stroops');

describe('TREASURY_PAYS from start to start', () => {
  it('nothing, fees, reserves, nothing: who paid is known of each, and the books agree', async () => {
    await startPaying('');
    const wallet = await call('POST', '/v1/wallets', { name: 'Switching' });
    const path = `/v1/wallets/${wallet.id}`;
    const pay = () =>
      call('POST', `${path}/withdraw`, { destination: ledger.root.publicKey(), amount_stroops: 1_000n });
    const balance = async () => (await ledger.account(wallet.account))?.balance ?? 0n;
    const [first, second] = [await newIssuer(ledger), await newIssuer(ledger, 'EURC')];
    const before = await balance();
    const paid = await pay();
    assert.deepEqual([paid.fee_paid_by, paid.fee_stroops], ['wallet', FEE]);

    await startPaying('fees');
    const by_treasury = await pay();
    assert.deepEqual([by_treasury.fee_paid_by, by_treasury.fee_stroops], ['treasury', 0n]);
    await eventually('the funds of the treasury', async () => (await funds()) > 0);
    await call('POST', `${path}/assets`, first.fields);

    await startPaying('reserves');
    assert.equal((await pay()).fee_paid_by, 'wallet');
    await call('POST', `${path}/assets`, second.fields);
    const lines = await Promise.all(
      [first, second].map(({ asset }) => ledger.server.getTrustline(wallet.account, asset)),
    );
    assert.equal(lines.length, 2);
    const { ext } = await ledger.server.getAccountEntry(wallet.account);
    const v1 = ext.type === 'v1' ? ext.v1 : null;
    assert.equal(v1?.ext.type === 'v2' && v1.ext.v2.numSponsored, 1, 'the second trust line only');

    await startPaying('');
    assert.equal(await funds(), Number.NaN, 'absent, so that no alert rests on it');
    for (const { text } of [first, second]) await call('DELETE', `${path}/assets/${text}`);
    const of_wallet = FEE + FEE + 3n * FEE + 2n * FEE;
    assert.equal(await balance(), before - 3n * 1_000n - of_wallet);
    // The newest comparison may be of a ledger before the last of these transactions.
    const native = await eventually('a comparison of all of it', async () => {
      const { items } = await call('GET', `${path}/reconciliation`);
      return items.find((row: any) => row.asset_code === 'native' && row.fees_stroops === of_wallet);
    });
    assert.equal(native.difference_stroops, 0n);
  });
});
