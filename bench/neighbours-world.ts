/** A service with two teams of one, for the bench of neighbours. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startService, type TestService, teller } from '../test/support/service.ts';
import type { Databases } from './withdrawals-world.ts';

/** `address`: a deposit address of the wallet. */
export type Neighbour = { token: string; wallets: { id: string; address: string }[] };
export type Neighbours = {
  service: TestService;
  loud: Neighbour;
  quiet: Neighbour;
  /** Resolves when no withdrawal is open. */
  drained(): Promise<void>;
  stop(): Promise<void>;
};

const LOUD_WALLETS = 100;
/** Wallets that are made at once: each waits for friendbot, which works once in a ledger. */
const MADE_AT_ONCE = 25;
const LOOK_MS = 250;

/** Without a limit of requests a minute: the floods are not to be stopped by it. */
export async function startNeighbours(databases: Databases): Promise<Neighbours> {
  const [loud, quiet] = ['loud', 'quiet'].map((name) => ({
    email: `${name}@example.com`,
    password: randomBytes(16).toString('hex'),
  })) as [Credentials, Credentials];
  const place = { DATABASE_URL: await databases.create(), MASTER_KEY: randomBytes(32).toString('base64') };
  const service = await startService({
    env: {
      ...place,
      ADMIN_EMAIL: loud.email,
      ADMIN_PASSWORD: loud.password,
      SANDBOX_CLOSE_MS: '1000',
    },
  });
  const { code, output } = await teller(['user', 'create', '--email', quiet.email, '--name', 'Quiet'], {
    ...place,
    PASSWORD: quiet.password,
  });
  if (code !== 0) throw new Error(`teller user create: ${output}`);
  const pool = new pg.Pool({ connectionString: place.DATABASE_URL, max: 1 });
  return {
    service,
    loud: await neighbour(service, loud, LOUD_WALLETS),
    quiet: await neighbour(service, quiet, 1),
    async drained() {
      for (;;) {
        const { rows } = await pool.query(
          "select from withdrawals where status in ('queued', 'signed') limit 1",
        );
        if (rows.length === 0) return;
        await sleep(LOOK_MS);
      }
    },
    async stop() {
      await pool.end();
      await service.stop();
    },
  };
}

type Credentials = { email: string; password: string };

async function neighbour(service: TestService, login: Credentials, count: number): Promise<Neighbour> {
  const token: string = (await service.api('POST', '/v1/auth/login', { body: login })).body.data.token;
  const wallets: Neighbour['wallets'] = [];
  while (wallets.length < count) {
    const create = async () => {
      const { status, text, body } = await service.api('POST', '/v1/wallets', {
        token,
        body: { name: 'Bench' },
      });
      if (status !== 201) throw new Error(`no wallet: ${text}`);
      const { id } = body.data;
      const made = await service.api('POST', `/v1/wallets/${id}/addresses`, { token });
      if (made.status !== 201) throw new Error(`no address: ${made.text}`);
      return { id, address: made.body.data.address };
    };
    const length = Math.min(MADE_AT_ONCE, count - wallets.length);
    wallets.push(...(await Promise.all(Array.from({ length }, create))));
  }
  return { token, wallets };
}
