/** A service of the growth bench, with a database of its own. */
import { randomBytes } from 'node:crypto';
import { startService, type TestService } from '../test/support/service.ts';
import type { Databases } from './withdrawals-world.ts';

const LOGIN = { email: 'bench@example.com', password: randomBytes(16).toString('hex') };

export type Grown = {
  service: TestService;
  env: Record<string, string>;
  token: string;
  /** Has half of the rows. */
  large: { id: string; api_key: string };
  /** Has no rows yet. */
  other: { id: string };
};

export async function startGrown(databases: Databases): Promise<Grown> {
  const env = {
    DATABASE_URL: await databases.create(),
    MASTER_KEY: randomBytes(32).toString('base64'),
    ADMIN_EMAIL: LOGIN.email,
    ADMIN_PASSWORD: LOGIN.password,
    SANDBOX_CLOSE_MS: '1000',
  };
  const service = await startService({ env });
  const { body } = await service.api('POST', '/v1/auth/login', { body: LOGIN });
  const token: string = body.data.token;
  const create = async (name: string) =>
    (await service.api('POST', '/v1/wallets', { token, body: { name } })).body.data;
  const [large, other] = [await create('Large'), await create('Other')];
  return { service, env: { ...env, STELLAR_RPC_URL: service.rpc_url }, token, large, other };
}
