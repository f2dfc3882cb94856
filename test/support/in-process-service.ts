/** What a slice needs, on a real database and a real sandbox over HTTP whose ledgers close when the test says so. */

import { randomBytes } from 'node:crypto';
import type { Keypair } from '@stellar/stellar-sdk';
import { Asset, Memo, Operation, TimeoutInfinite, TransactionBuilder } from '@stellar/stellar-sdk';
import { Server } from '@stellar/stellar-sdk/rpc';
import { type Sandbox, startSandbox } from '../../sandbox/launch.ts';
import { beginWithProvider, openDataKeys } from '../../src/api/key-provider.ts';
import { createWithSealingKey, followSealingKey } from '../../src/api/sealing-key.ts';
import { createUser } from '../../src/auth/login/login.ts';
import { readConfig } from '../../src/config.ts';
import { bindInstallation } from '../../src/db/installation.ts';
import { sessionName } from '../../src/db/session-names.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createLog } from '../../src/lib/log.ts';
import { createMetrics } from '../../src/lib/metrics.ts';
import { NO_TRACES } from '../../src/lib/traces.ts';
import { NO_LOOKUPS } from '../../src/stellar/home-domains/home-domains.ts';
import { createStellar } from '../../src/stellar/sources/create-stellar.ts';
import type { Stellar } from '../../src/stellar/stellar.ts';
import { NO_KEY_JOURNAL } from '../../src/vault/key-journal.ts';
import { createKeys } from '../../src/vault/keys.ts';
import type { RingKey } from '../../src/vault/master-keys/key-ring.ts';
import type { DataKeys } from '../../src/vault/providers/data-keys.ts';
import { createWalletAccess, type Wallet } from '../../src/wallets/access.ts';
import { createWallet } from '../../src/wallets/create-wallet.ts';
import type { EngineDeps } from '../../src/withdrawals/engine/hooks.ts';
import { ENGINE_HOOKS } from '../../src/withdrawals/engine-hooks.ts';
import { showChangedLines } from '../../src/withdrawals/trust-lines/told-assets.ts';
import { ACTOR } from './acting.ts';
import { openPatientConnections } from './patient-connections.ts';
import { createTestDatabase } from './postgres.ts';

export type InProcessService = {
  deps: EngineDeps;
  sandbox: Sandbox;
  rpc: Server;
  /** Another process on the same database and network: the same, with connections of its own. */
  another(): EngineDeps;
  /** A wallet that friendbot has funded. */
  wallet(): Promise<Wallet>;
  close(): Promise<void>;
};

/** `dir`: where its ledger is kept; in memory without. */
type NetworkOptions = { max_operations?: number; faults?: boolean; dir?: string; protocol?: number };

export async function startInProcess(
  env: Record<string, string> = {},
  network: NetworkOptions = {},
): Promise<InProcessService> {
  const storage = await createTestDatabase();
  const log = createLog('silent', false);
  const sandbox = await startNetwork(network);
  sandbox.closeLedger();
  const master_keys = [
    env.MASTER_KEY ?? randomBytes(32).toString('base64'),
    env.MASTER_KEY_PREVIOUS ?? [],
  ].flat();
  const config = readConfig({
    DATABASE_URL: storage.url,
    MASTER_KEY: master_keys[0],
    STELLAR_RPC_URL: sandbox.rpc_url,
    ...env,
  });
  const closes: (() => Promise<void>)[] = [];
  const another = (data_keys: DataKeys | null = null): EngineDeps => {
    const keys = createKeys(master_keys.map((text) => Buffer.from(text, 'base64')) as [Buffer], data_keys);
    const named = sessionName(keys.key_ring.keys.map(({ id }) => id));
    const { connections, close } = openPatientConnections(storage.url, log, named);
    const { rpc_urls, horizon_urls, passphrase } = config;
    const metrics = createMetrics();
    const stellar = createStellar({ rpc_urls, horizon_urls, passphrase, clock: systemClock, log, metrics });
    closes.push(() => stellar.close(), close);
    const deps: EngineDeps = {
      config,
      ...connections,
      stellar,
      home_domains: NO_LOOKUPS,
      showChangedLines: (changed) => showChangedLines(deps, changed),
      mailer: null,
      ...keys,
      withSealingKey: createWithSealingKey({ ...keys, db: connections.db, log }),
      key_journal: NO_KEY_JOURNAL,
      clock: systemClock,
      log,
      metrics,
      traces: NO_TRACES,
      hooks: ENGINE_HOOKS,
    };
    return deps;
  };
  const data_keys = await openDataKeys(config, log, null);
  const deps = another(data_keys);
  const { check: key_check } = deps.key_ring.keys.at(-1) as RingKey; // as before a rotation
  await bindInstallation(deps.db, { network: config.network, passphrase: config.passphrase, key_check }, () =>
    deps.stellar.latestLedger(),
  );
  await beginWithProvider(deps);
  await followSealingKey(deps);
  const user = await createUser(
    deps,
    {
      email: 'owner@example.com',
      password: 'correct horse',
      name: 'Owner',
    },
    ACTOR,
  );
  return {
    deps,
    sandbox,
    rpc: new Server(sandbox.rpc_url, { allowHttp: true }),
    another: () => another(data_keys),
    wallet: () => makeWallet(deps, sandbox, user?.id ?? ''),
    async close() {
      await data_keys?.close();
      for (const close of closes) await close();
      await sandbox.stop();
      await storage.drop();
    },
  };
}

let networks = 0;

/**
 * A network whose ledgers close when the test says so: of the same name as every other of these, and with nothing of
 * theirs. Of a size of its own, for two that are alike begin with the same ledgers when they start in the same second.
 */
export function startNetwork(network: NetworkOptions = {}): Promise<Sandbox> {
  const max_operations = 1_000 + networks++;
  const log = createLog('silent', false);
  return startSandbox({ port: 0, dir: null, close_ms: 0, max_operations, log, ...network });
}

/** Ledgers close for friendbot only: as many as a database that stalls lets close are ledgers that were missed. */
async function makeWallet(deps: EngineDeps, sandbox: Sandbox, owner_id: string): Promise<Wallet> {
  const fund: Stellar['fund'] = (account) => closingLedgers(sandbox, deps.stellar.fund(account));
  const stellar = { ...deps.stellar, fund };
  const { wallet } = await createWallet({ ...deps, stellar }, { owner_id, name: 'Test' }, ACTOR);
  return createWalletAccess(deps.db)({ kind: 'api_key', wallet_id: wallet.id }, wallet.id);
}

/**
 * Closes ledgers until the work, which waits for the network, is done. A slower pace leaves a busy machine the time to act
 * before what is signed expires in ledger time. `ready`: the next ledger waits for it too.
 */
export async function closingLedgers<T>(
  sandbox: Sandbox,
  work: Promise<T>,
  pace_ms = 20,
  ready: () => Promise<unknown> = async () => undefined,
): Promise<T> {
  let done = false;
  const finished = work.finally(() => {
    done = true;
  });
  while (!done) {
    sandbox.closeLedger();
    await Promise.race([finished.catch(() => undefined), systemClock.sleep(pace_ms).then(ready)]);
  }
  return finished;
}

/** Puts a payment into the next ledger. Amount in units of the native asset. */
export async function sendPayment(
  world: InProcessService,
  payer: Keypair,
  payment: { destination: string; amount: string; memo_id?: bigint; memo_text?: string },
): Promise<void> {
  const { destination, amount, memo_id, memo_text } = payment;
  const builder = new TransactionBuilder(await world.rpc.getAccount(payer.publicKey()), {
    fee: '100',
    networkPassphrase: world.sandbox.passphrase,
    ...(memo_id !== undefined && { memo: Memo.id(`${memo_id}`) }),
    ...(memo_text !== undefined && { memo: Memo.text(memo_text) }),
  });
  const operation = Operation.payment({ destination, amount, asset: Asset.native() });
  // Without an end: ledgers that are closed while a busy machine works take ledger time minutes ahead of its clock.
  const transaction = builder.addOperation(operation).setTimeout(TimeoutInfinite).build();
  transaction.sign(payer);
  const { status } = await world.rpc.sendTransaction(transaction);
  if (status !== 'PENDING') throw new Error(`not queued: ${status}`);
}
