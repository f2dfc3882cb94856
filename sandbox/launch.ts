import type { AddressInfo } from 'node:net';
import type { Clock } from './clock.ts';
import { systemClock } from './clock.ts';
import { closeWithoutPause, startCloseTimer } from './close-timer.ts';
import { FaultControl } from './faults/fault-control.ts';
import { FaultHooks } from './faults/fault-hooks.ts';
import { Friendbot } from './friendbot.ts';
import { buildServer } from './http/server.ts';
import { Issuers } from './issuers.ts';
import { rootKeypair } from './ledger/genesis.ts';
import type { Log } from './log.ts';
import { CLOSED_BY_HAND_STEP_MS, Network } from './network.ts';
import { StellarNode } from './node.ts';
import { SANDBOX_PASSPHRASE } from './passphrase.ts';
import type { RpcVersion } from './rpc/versions.ts';
import { LedgerStore } from './store/ledger-store.ts';
import { startOf, VIRTUAL_CLOSE_SECONDS, VirtualClock } from './virtual-clock.ts';

/** 7 days of 5-second ledgers: stellar-rpc's default. */
const DEFAULT_RETENTION_LEDGERS = 120_960;

export type LedgerSummary = { sequence: number; hash: string; close_time: number; transaction_count: number };

export type Sandbox = {
  port: number;
  /** Address of the page for browsers. */
  url: string;
  rpc_url: string;
  friendbot_url: string;
  passphrase: string;
  /** Address of the account that owns everything at the start. */
  root_account: string;
  /** Control of the faults; null unless `faults` was set. */
  faults: FaultControl | null;
  /** The issuers of the test assets. */
  issuers: Issuers;
  /**
   * Closes one ledger now, independently of the timer. Its close time is at least `step_ms` after that of the ledger
   * before; 1000 when absent, so that the ledgers of a loop let time pass. Close time in unix seconds.
   */
  closeLedger(step_ms?: number): LedgerSummary;
  /** Answers waiting requests and frees port and folder. May be called again. */
  stop(): Promise<void>;
};

export type SandboxOptions = {
  /** 0 = any free port. */
  port: number;
  /** Folder of the ledger; null = in memory. */
  dir: string | null;
  /**
   * Milliseconds between ledgers. 0 = a ledger closes only by closeLedger(). Below protocol 30 and below 1000, ledger
   * time runs ahead of the clock. `virtual` = ledgers close without a pause, and each adds 5 seconds to the time of the network.
   */
  close_ms: number | 'virtual';
  /**
   * Least ledger time between ledgers of the timer, in milliseconds; 1 when absent. 1000 lets ledger time run ahead of
   * the clock, for tests that wait for a time to pass.
   */
  step_ms?: number;
  log: Log;
  clock?: Clock;
  retention_ledgers?: number;
  /** Operations that fit into a ledger; 1,000 when absent. */
  max_operations?: number;
  /**
   * False: like a node without EMIT_CLASSIC_EVENTS, whose meta and getEvents have no events of classic operations.
   */
  emit_classic_events?: boolean;
  /** The protocol of a new network. */
  protocol?: number;
  /** The version of stellar-rpc whose answers the nodes give; the newest when absent. */
  rpc_like?: RpcVersion;
  /** Lets code and the endpoints at /faults script faults. */
  faults?: boolean;
  /**
   * Makes the issuers of the test assets with the first ledgers, and again after a reset, so that trust lines to them
   * are possible at once. Otherwise the first order to an issuer makes it. Commands for people set it; tests that
   * count transactions do not.
   */
  test_assets?: boolean;
  /** Seed of the probabilities of faults, 1 when absent. The same seed and the same requests give the same faults. */
  seed?: number;
};

/**
 * Starts a Stellar network in this process. It listens on 127.0.0.1 only.
 * @throws the error of listening unchanged (EADDRINUSE), or an Error with a message for people when `dir` is in use
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { close_ms } = options;
  const store = new LedgerStore(options.dir, SANDBOX_PASSPHRASE);
  try {
    const virtual = close_ms === 'virtual' ? new VirtualClock(startOf(store)) : null;
    const clock = virtual ?? options.clock ?? systemClock;
    const network = new Network(store, {
      passphrase: SANDBOX_PASSPHRASE,
      clock,
      close_seconds: close_ms === 'virtual' ? VIRTUAL_CLOSE_SECONDS : (close_ms || 1000) / 1000,
      ...(options.step_ms === undefined ? {} : { step_ms: options.step_ms }),
      retention_ledgers: options.retention_ledgers ?? DEFAULT_RETENTION_LEDGERS,
      ...(options.max_operations === undefined ? {} : { max_operations: options.max_operations }),
      emit_classic_events: options.emit_classic_events ?? true,
      ...(options.protocol === undefined ? {} : { protocol: options.protocol }),
      ...(options.rpc_like === undefined ? {} : { rpc_like: options.rpc_like }),
    });
    virtual?.drivenBy(network);
    return await serve(network, { ...options, clock });
  } catch (error) {
    store.close();
    throw error;
  }
}

async function serve(network: Network, options: SandboxOptions & { clock: Clock }): Promise<Sandbox> {
  const { close_ms, clock, log } = options;
  const friendbot = new Friendbot(network, log);
  const issuers = new Issuers(network, friendbot, log);
  if (options.test_assets) issuers.keep();
  const at = { friendbot_url: '' };
  const faults = options.faults ? new FaultControl(network, options.seed ?? 1) : null;
  const server = buildServer({
    node: new StellarNode(network),
    network,
    friendbot_url: () => at.friendbot_url,
    friendbot,
    issuers,
    log,
    faults: faults === null ? null : { control: faults, hooks: new FaultHooks(faults, network, log) },
  });
  // The genesis ledger has no close time, and the last ledger of a resumed network is old. A node whose last ledger
  // is old reports that it is unhealthy.
  if (network.latest.header.ledgerSeq === 1 || close_ms !== 0) network.close();
  await server.listen({ host: '127.0.0.1', port: options.port });
  const { port } = server.server.address() as AddressInfo;
  at.friendbot_url = `http://127.0.0.1:${port}/friendbot`;

  const close = () => {
    if (network.halted) return false;
    try {
      network.close();
      return true;
    } catch (error) {
      log.error(
        { err: error },
        'the sandbox could not close a ledger; it tries again at the next close time',
      );
      return false;
    }
  };
  const stopTimer = startClosing(close_ms, clock, close);
  const stop = async () => {
    await stopTimer();
    friendbot.stop();
    issuers.stop();
    await server.close();
    network.store.close();
  };
  let stopped: Promise<void> | undefined;
  return {
    port,
    url: `http://127.0.0.1:${port}/`,
    rpc_url: `http://127.0.0.1:${port}/rpc`,
    friendbot_url: at.friendbot_url,
    passphrase: network.options.passphrase,
    root_account: rootKeypair(network.options.passphrase).publicKey(),
    faults,
    issuers,
    closeLedger: (step_ms = CLOSED_BY_HAND_STEP_MS) => summary(network.close(step_ms)),
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}

function startClosing(
  close_ms: SandboxOptions['close_ms'],
  clock: Clock,
  close: () => boolean,
): () => Promise<void> {
  if (close_ms === 0) return async () => {};
  return close_ms === 'virtual' ? closeWithoutPause(close) : startCloseTimer({ close_ms, clock, close });
}

function summary({ header, hash, transactions }: ReturnType<Network['close']>): LedgerSummary {
  return {
    sequence: header.ledgerSeq,
    hash: hash.toString('hex'),
    close_time: Number(header.scpValue.closeTime),
    transaction_count: transactions.length,
  };
}
