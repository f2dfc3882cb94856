/** A service process in the simulation: the real verbs on the simulation's database, network and clock, until it is killed. */

import { createWithSealingKey } from '../../src/api/sealing-key.ts';
import type { Config } from '../../src/config.ts';
import { createReadInTurn, createSearch } from '../../src/db/connections.ts';
import { listen } from '../../src/db/listen.ts';
import { startIngester } from '../../src/deposits/ingest/ingest-deposits.ts';
import type { Log } from '../../src/lib/log.ts';
import { createMetrics } from '../../src/lib/metrics.ts';
import { NO_TRACES } from '../../src/lib/traces.ts';
import type { OpenPool } from '../../src/outgoing/post.ts';
import type { Transport } from '../../src/stellar/answers/transport.ts';
import { NO_LOOKUPS } from '../../src/stellar/home-domains/home-domains.ts';
import { createStellar } from '../../src/stellar/sources/create-stellar.ts';
import { NO_KEY_JOURNAL } from '../../src/vault/key-journal.ts';
import type { Keys } from '../../src/vault/keys.ts';
import { createWalletAccess, type RequireWallet } from '../../src/wallets/access.ts';
import { startDeliverer } from '../../src/webhooks/delivery/deliverer.ts';
import { startUpkeep } from '../../src/webhooks/upkeep.ts';
import { startExpiry } from '../../src/withdrawals/approvals/expiry.ts';
import { type Claims, createClaims } from '../../src/withdrawals/engine/claims.ts';
import { createWithdrawalEngine, type WithdrawalEngine } from '../../src/withdrawals/engine/engine.ts';
import type { EngineDeps } from '../../src/withdrawals/engine/hooks.ts';
import { OUTCOMES_CHANNEL } from '../../src/withdrawals/engine/store.ts';
import { ENGINE_HOOKS } from '../../src/withdrawals/engine-hooks.ts';
import { startPayouts } from '../../src/withdrawals/payouts/payout-loop.ts';
import { showChangedLines } from '../../src/withdrawals/trust-lines/told-assets.ts';
import type { Random } from '../support/random.ts';
import { databaseOf, type KillableOwner, type SimDatabase } from './database.ts';
import type { Scheduler } from './scheduler.ts';

/** The roles of the processes; `payouts` is the part of a settler that pays files. */
export type Roles = readonly ('settler' | 'payouts' | 'ingester' | 'deliverer')[];

export type Machine = {
  scheduler: Scheduler;
  database: SimDatabase;
  transport: (owner: KillableOwner) => Transport;
  /** The way to receivers. */
  pools: (owner: KillableOwner) => OpenPool;
  /** Of the pauses between attempts. */
  jitter: Random;
  /** Of processes that start from now on. */
  config: Config;
  roles: Roles;
  keys: Keys;
  log: Log;
  /** Makes a process break a rule on purpose. */
  alterDeps: (deps: EngineDeps) => EngineDeps;
};

export class SimProcess implements KillableOwner {
  readonly name: string;
  alive = true;
  readonly died: Promise<void>;
  readonly deps: EngineDeps;
  readonly engine: WithdrawalEngine;
  readonly claims: Claims;
  readonly requireWallet: RequireWallet;
  readonly #machine: Machine;
  readonly #running: { stop(): Promise<void> }[] = [];
  #die: () => void = () => undefined;

  /** @param skew_ms by how much its clock is wrong */
  constructor(machine: Machine, name: string, skew_ms: number) {
    this.name = name;
    this.#machine = machine;
    this.died = new Promise((resolve) => {
      this.#die = resolve;
    });
    this.deps = machine.alterDeps(depsOf(machine, this, skew_ms));
    this.engine = createWithdrawalEngine(this.deps);
    this.claims = createClaims(this.deps);
    this.requireWallet = createWalletAccess(this.deps.db);
    if (machine.roles.includes('settler')) {
      this.engine.start();
      this.#running.push(
        this.engine,
        startExpiry(this.deps),
        listen(this.deps, OUTCOMES_CHANNEL, () => this.engine.checkOutcomes()),
      );
    }
    if (machine.roles.includes('payouts')) this.#running.push(startPayouts(this.deps, this.engine));
    if (machine.roles.includes('ingester')) this.#running.push(startIngester(this.deps));
    if (machine.roles.includes('deliverer')) {
      const { next: random } = machine.jitter.fork(name);
      const deliverer = startDeliverer(this.deps, { open_pool: machine.pools(this), random });
      this.#running.push(deliverer, startUpkeep(this.deps));
    }
    machine.scheduler.history.record(name, `starts, its clock ${skew_ms} ms off`);
  }

  /** kill -9 */
  kill(): void {
    if (!this.alive) return;
    this.alive = false;
    this.#machine.scheduler.history.record(this.name, 'is killed');
    this.#die();
  }

  /** SIGTERM: it hands over what is open, and is gone. */
  async stop(): Promise<void> {
    await Promise.race([Promise.all(this.#running.map((running) => running.stop())), this.died]);
    this.kill();
  }
}

/** As main.ts puts them together. */
export function depsOf(machine: Machine, owner: KillableOwner, skew_ms: number): EngineDeps {
  const { config, log, keys } = machine;
  const clock = machine.scheduler.clockOf(owner, skew_ms);
  const pool = machine.database.poolOf(owner);
  const { rpc_urls, horizon_urls, passphrase } = config;
  const metrics = createMetrics();
  const transport = machine.transport(owner);
  const stellar = createStellar({ rpc_urls, horizon_urls, passphrase, clock, log, metrics, transport });
  const key_journal = NO_KEY_JOURNAL;
  const db = databaseOf(pool);
  const connections = {
    db,
    pool,
    reads: db,
    readInTurn: createReadInTurn(db, 3, clock),
    search: createSearch(db, 2),
  };
  const deps: EngineDeps = {
    config,
    ...connections,
    stellar,
    home_domains: NO_LOOKUPS,
    ...keys,
    key_journal,
    mailer: null,
    clock,
    log,
    metrics,
    traces: NO_TRACES,
    withSealingKey: createWithSealingKey({ ...keys, db, log }),
    showChangedLines: (changed) => showChangedLines(deps, changed),
    hooks: ENGINE_HOOKS,
  };
  return deps;
}
