/** For tests of the pool of channel accounts. */
import { Kysely, PostgresDialect } from 'kysely';
import type { Pool } from 'pg';
import type { Sandbox } from '../../sandbox/launch.ts';
import { payFromTestAccount } from '../../sandbox/pay.ts';
import type { Tables } from '../../src/db/tables.ts';
import type { Deps } from '../../src/deps.ts';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import { accountOf } from '../../src/stellar/address.ts';
import { fullChannelStroops } from '../../src/withdrawals/engine/channel-fees.ts';
import { closingLedgers, type InProcessService } from './in-process-service.ts';

/** A clock for whom waiting means that a ledger closes: what waits for the network gets on as fast as it can. */
export function closingClock(sandbox: Sandbox): Clock {
  return {
    now: systemClock.now,
    sleep: async () => {
      sandbox.closeLedger();
    },
  };
}

/** A channel account that the pool may use; the pool had none. */
export async function addChannel({ deps, sandbox }: InProcessService): Promise<string> {
  const make = async (id: string) => {
    const { public_key, sealed_seed } = await deps.vault.generate(id);
    const account = accountOf(public_key);
    await closingLedgers(sandbox, deps.stellar.fund(account));
    return { id, account, sealed_seed };
  };
  const [treasury, channel] = [await make('trs_00'), await make('chn_test')];
  await deps.db.insertInto('treasury').values(treasury).execute();
  const sponsored = { ...channel, sponsor: treasury.account, status: 'active' as const };
  await deps.db.insertInto('channels').values(sponsored).execute();
  await deps.db.insertInto('tx_sources').values({ account: channel.account, kind: 'channel' }).execute();
  return channel.account;
}

/** A payment of somebody with enough; it creates the account if need be. */
export async function payFromElsewhere(
  world: InProcessService,
  destination: string,
  amount_stroops: bigint,
): Promise<void> {
  const { rpc_url } = world.sandbox;
  await closingLedgers(world.sandbox, payFromTestAccount({ rpc_url, destination, amount_stroops }));
}

/** Accounts of one question to the network. */
const CHUNK = 50;

/** How many base reserves the treasury pays for others, and how many of these accounts are there, filled with what they need for fees. */
export async function channelsOnLedger(world: InProcessService, treasury: string, accounts: string[]) {
  const full_stroops = fullChannelStroops(world.deps.config);
  let present = 0;
  for (let at = 0; at < accounts.length; at += CHUNK) {
    const { accounts: states } = await world.deps.stellar.readAccounts(accounts.slice(at, at + CHUNK));
    for (const { balance_stroops } of states.values()) if (balance_stroops === full_stroops) present++;
  }
  const entry = await world.rpc.getAccountEntry(treasury);
  const v1 = entry.ext.type === 'v1' ? entry.ext.v1 : null;
  const v2 = v1?.ext.type === 'v2' ? v1.ext.v2 : null;
  return { sponsoring: v2?.numSponsoring ?? 0, present };
}

/**
 * The same, but that one call of the network or statement of the database, the `nth` from 0, fails: before it has done
 * anything, or after, as when a process dies there.
 */
export function failingAt(deps: Deps, nth: number, when: 'before' | 'after') {
  let calls = 0;
  const dying = async <T>(call: () => Promise<T>): Promise<T> => {
    const strikes = calls++ === nth;
    if (strikes && when === 'before') throw new Error('died');
    const value = await call();
    if (strikes) throw new Error('died');
    return value;
  };
  const stellar = Object.fromEntries(
    Object.entries(deps.stellar).map(([name, method]) => [
      name,
      (...args: unknown[]) => dying(() => (method as (...args: unknown[]) => Promise<unknown>)(...args)),
    ]),
  ) as unknown as Deps['stellar'];
  const pool = {
    async connect() {
      const client = await deps.pool.connect();
      const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
      return { query: (...args: unknown[]) => dying(() => query(...args)), release: () => client.release() };
    },
  } as unknown as Pool;
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return { deps: { ...deps, stellar, db }, struck: () => calls > nth };
}
