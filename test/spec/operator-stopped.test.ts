/** The operator's commands while the service is stopped: the embedded database runs for the length of each. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { assertError } from '../support/running-service.ts';
import { startService, teller, temporaryDirectory } from '../support/service.ts';

const data_dir = temporaryDirectory();
/** Of the shell, for other databases: the embedded one must not hear of them. */
const OF_OTHERS = {
  PGSSLMODE: 'require',
  PGSSLNEGOTIATION: 'direct',
  PGOPTIONS: '-c datestyle=German -c search_path=x',
};
const operate = async (...args: string[]) => {
  const { code, output } = await teller(args, { DATA_DIR: data_dir, ...OF_OTHERS });
  assert.equal(code, 0, output);
  return output;
};

it('what an operator does while the service is stopped holds from the next start on', async () => {
  const before = await startService({ data_dir, env: OF_OTHERS });
  const token = await before.login();
  const { body } = await before.api('POST', '/v1/wallets', { token, body: { name: 'w' } });
  const { id, account } = body.data;
  assert.equal(await before.stop(), 0, before.output());
  const { email, password } = JSON.parse(readFileSync(join(data_dir, 'demo-login'), 'utf8'));
  await operate('user', 'disable', email);
  await operate('wallet', 'freeze', id);
  assert.match(await operate('wallet', 'list'), new RegExp(`^${id} .* by the operator since`, 'm'));

  const service = await startService({ data_dir });
  assert.ok(!service.output().includes(password), 'the banner shows no password that does not work');
  assert.match(service.output(), /Log in +demo@example\.com +is disabled/);
  assertError(await service.api('GET', '/v1/auth/me', { token }), 401, 'unauthenticated');
  assertError(await service.api('POST', '/v1/auth/login', { body: { email, password } }), 401);
  await operate('user', 'enable', email);
  const refused = await service.api('POST', `/v1/wallets/${id}/withdraw`, {
    token: await service.login(),
    headers: { 'idempotency-key': 'one' },
    body: { destination: account, amount_stroops: 5n },
  });
  assertError(refused, 422, 'policy_frozen');
  assert.equal(await service.stop(), 0, service.output());
});
