/** The embedded database is killed under a service that goes on. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { isAlive, postmasterPid } from '../support/holder.ts';
import { type Ledger, openLedger } from '../support/ledger.ts';
import { startService, type TestService, temporaryDirectory } from '../support/service.ts';

const data_dir = temporaryDirectory();
const pid_file = join(data_dir, 'postgres', 'postmaster.pid');
const postmaster = () => postmasterPid(join(data_dir, 'postgres'));

let service: TestService;
let token: string;
let wallet: { id: string; account: string };
let ledger: Ledger;
let payee: string;
before(async () => {
  service = await startService({ data_dir });
  token = await service.login();
  wallet = (await service.api('POST', '/v1/wallets', { token, body: { name: 'w' } })).body.data;
  ledger = await openLedger(service.rpc_url);
  payee = (await ledger.fund()).publicKey();
});
after(async () => {
  await service.stop();
});

const withdraw = (key: string, amount_stroops: number) =>
  service.api('POST', `/v1/wallets/${wallet.id}/withdraw`, {
    token,
    headers: { 'idempotency-key': key },
    body: { destination: payee, amount_stroops },
  });

async function withdrawalsOf(key: string): Promise<any[] | null> {
  const path = `/v1/wallets/${wallet.id}/withdrawals?idempotency_key=${key}`;
  const { status, body } = await service.api('GET', path, { token });
  return status === 200 ? body.data.items : null;
}

const isReady = async () => (await service.api('GET', '/readyz')).status === 200;

async function killDatabase(): Promise<void> {
  const pid = postmaster();
  process.kill(pid, 'SIGKILL');
  await eventually('the end of PostgreSQL', () => !isAlive(pid));
}

describe('kill -9 of the embedded database', () => {
  it('is survived: what was in flight has one outcome, deposits arrive, and withdrawals work again', async () => {
    const before_stroops = (await ledger.account(payee))?.balance ?? 0n;
    const keys = Array.from({ length: 12 }, (_, index) => `in-flight-${index}`);
    const requests = keys.map((key, index) => withdraw(key, 1000 + index));
    await Promise.any(requests); // the others are somewhere between claim and outcome
    await killDatabase();
    const answers = await Promise.all(requests);
    await eventually('readiness', isReady);

    let paid_stroops = 0n;
    for (const [index, key] of keys.entries()) {
      const [withdrawal] = await eventually(`the outcome of ${key}`, async () => {
        const found = await withdrawalsOf(key);
        return found?.every(({ status }) => status !== 'pending') ? found : null;
      });
      const answer = answers[index];
      if (answer?.status === 201) assert.equal(withdrawal.id, answer.body.data.id);
      else assert.ok([503, 504].includes(answer?.status ?? 0), answer?.text);
      if (withdrawal?.status === 'confirmed') paid_stroops += withdrawal.amount_stroops;
    }
    assert.equal((await ledger.account(payee))?.balance, before_stroops + paid_stroops);

    const again = await withdraw('afterwards', 5);
    assert.equal(again.status, 201, again.text);
    assert.equal(again.body.data.status, 'confirmed');
    const { hash } = await ledger.pay(await ledger.fund(), wallet.account, 777n);
    await eventually('a deposit after the restart', async () => {
      const { body } = await service.api('GET', `/v1/wallets/${wallet.id}/deposits`, { token });
      return body.data.items.some((item: any) => item.stellar_tx_hash === hash);
    });
  });

  it('again and again ends the service with exit code 1, and the last line says why', async () => {
    const exited = service.exited();
    for (let kills = 0; kills < 10 && (await Promise.race([exited, 'runs'])) === 'runs'; kills++) {
      const pid = postmaster();
      process.kill(pid, 'SIGKILL');
      await eventually('the next server, or the end', async () => {
        if ((await Promise.race([exited, 'runs'])) !== 'runs') return true;
        const next = existsSync(pid_file) ? postmaster() : pid; // none while a server is being started
        return next !== pid && isAlive(next);
      });
    }
    assert.equal(await exited, 1, service.output());
    const last = service.output().trimEnd().split('\n').at(-1) ?? '';
    assert.match(
      last,
      /^The embedded PostgreSQL has ended and (ends again after every restart|does not start again \()/,
    );
    service = await startService({ data_dir });
    assert.equal((await withdrawalsOf('afterwards'))?.[0]?.status, 'confirmed');
  });
});
