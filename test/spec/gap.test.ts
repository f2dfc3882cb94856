/** The service was off for longer than the history of its source: `teller backfill` carries both cursors over the gap. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, it } from 'node:test';
import { pino } from 'pino';
import { startSandbox } from '../../sandbox/launch.ts';
import { eventually } from '../support/eventually.ts';
import { openLedger } from '../support/ledger.ts';
import { createTestDatabase } from '../support/postgres.ts';
import {
  SHORT_VALIDITY,
  startService,
  type TestService,
  teller,
  temporaryDirectory,
} from '../support/service.ts';

const log = pino({ level: 'silent' });
const sandbox = await startSandbox({ port: 0, dir: null, close_ms: 100, step_ms: 1000, log, faults: true });
const storage = await createTestDatabase();
const data_dir = temporaryDirectory();
const env = {
  DATABASE_URL: storage.url,
  MASTER_KEY: randomBytes(32).toString('base64'),
  STELLAR_RPC_URL: sandbox.rpc_url,
  DATA_DIR: data_dir,
  ...SHORT_VALIDITY,
};
let service: TestService | undefined;
after(async () => {
  await service?.stop();
  await storage.drop();
  await sandbox.stop();
});

it('one command makes the service ready and lets it sign, and the log has each error once', async () => {
  const ledger = await openLedger(sandbox.rpc_url);
  service = await startService({ data_dir, env });
  const { api, login } = service;
  const { body } = await api('POST', '/v1/wallets', { token: await login(), body: { name: 'w' } });
  const { id, account, api_key } = body.data;
  await eventually('the deposit that made the account', async () => {
    const { body } = await api('GET', `/v1/wallets/${id}/deposits`, { token: api_key });
    return body.data.items.length > 0;
  });
  await service.stop();

  const payer = await ledger.fund();
  await ledger.pay(payer, account, 50n);
  const forgotten = sandbox.closeLedger().sequence;
  sandbox.faults?.setNode('main', { oldest_ledger: forgotten + 1 });

  const again = await startService({ data_dir, env });
  service = again;
  const checks = async (): Promise<any> => again.checks();
  await eventually('both cursors stand before the gap', async () => {
    const { deposits, withdrawals } = await checks();
    return /begins at ledger/.test(deposits.message) && /begins at ledger/.test(withdrawals.message);
  });
  // The source goes on forgetting: the message changes with each ledger.
  for (let more = 0; more < 5; more++) {
    const { sequence } = sandbox.closeLedger();
    sandbox.faults?.setNode('main', { oldest_ledger: sequence });
    await eventually('readiness names the ledger', async () =>
      (await checks()).withdrawals.message.includes(`${sequence};`),
    );
  }
  const stops = again.output().match(/Ledgers cannot be processed, so nothing is signed/g);
  assert.equal(stops?.length, 1, 'one error in the log');

  const longer = sandbox.rpc_url.replace('/rpc', '/nodes/archive/rpc');
  const { code, output } = await teller(['backfill', '--from-ledger', '2', '--rpc-url', longer], env);
  assert.equal(code, 0, output);
  assert.match(output, /1 deposits were missing/);
  assert.match(output, /The withdrawal cursor is at ledger \d+\./);

  await eventually('the service is ready and signs', async () => {
    const { deposits, withdrawals } = await checks();
    return deposits.ok && withdrawals.ok;
  });
  const paid = await again.api('POST', `/v1/wallets/${id}/withdraw`, {
    token: await again.login(),
    headers: { 'idempotency-key': 'after the gap' },
    body: { destination: payer.publicKey(), amount_stroops: 5 },
  });
  assert.deepEqual([paid.status, paid.body.data?.status], [201, 'confirmed'], paid.text);
});
