import { Keypair } from '@stellar/stellar-sdk/base';
import type { Clock } from './clock.ts';
import { sha256 } from './ledger/bytes.ts';
import { Network } from './network.ts';
import { SANDBOX_PASSPHRASE } from './passphrase.ts';
import { LedgerStore } from './store/ledger-store.ts';

/** 2027-01-15: an arbitrary start, the same in every run. */
export const VIRTUAL_START_S = 1_800_000_000;

/** Seconds between ledgers, as on the public network. */
export const VIRTUAL_CLOSE_SECONDS = 5;

type Sleeper = { at_ms: number; wake: () => void };

/** A clock that stands still between ledgers. Each ledger adds one expected close time. */
export class VirtualClock implements Clock {
  #now_ms: number;
  #sleepers: Sleeper[] = [];

  /** @param start_s unix seconds */
  constructor(start_s = VIRTUAL_START_S) {
    this.#now_ms = start_s * 1000;
  }

  now(): Date {
    return new Date(this.#now_ms);
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted || ms <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const giveUp = () => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        resolve();
      };
      const wake = () => {
        signal?.removeEventListener('abort', giveUp); // The signal may exist as long as the server.
        resolve();
      };
      const sleeper = { at_ms: this.#now_ms + ms, wake };
      this.#sleepers.push(sleeper);
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  }

  /** Moves the time before each ledger of this network closes. Call it once, before any other hook is added. */
  drivenBy(network: Network): void {
    network.onClose({ before: () => this.#advance(network.options.close_seconds * 1000) });
  }

  #advance(ms: number): void {
    this.#now_ms += ms;
    const due = this.#sleepers.filter(({ at_ms }) => at_ms <= this.#now_ms);
    if (due.length === 0) return;
    this.#sleepers = this.#sleepers.filter(({ at_ms }) => at_ms > this.#now_ms);
    for (const { wake } of due) wake();
  }
}

/**
 * A network for simulations within one process: `network.submit(envelope)`, `network.close()`, as fast as the
 * machine computes. The same transactions in the same ledgers always give the same ledger hashes.
 * @param dir folder of the ledger, null = in memory
 */
export function virtualNetwork(
  options: { dir?: string | null; close_seconds?: number; retention_ledgers?: number } = {},
): { network: Network; clock: VirtualClock } {
  const { dir = null, close_seconds = VIRTUAL_CLOSE_SECONDS, retention_ledgers = 1000 } = options;
  const store = new LedgerStore(dir, SANDBOX_PASSPHRASE);
  const clock = new VirtualClock(startOf(store));
  const network = new Network(store, {
    passphrase: SANDBOX_PASSPHRASE,
    clock,
    close_seconds,
    retention_ledgers,
  });
  clock.drivenBy(network);
  return { network, clock };
}

/** The time at which a virtual clock continues: that of the store's latest ledger, but not before the fixed start. */
export function startOf(store: LedgerStore): number {
  return Math.max(Number(store.latest()?.close_time ?? 0), VIRTUAL_START_S);
}

/** The key pair number `index` of a seed, so that simulations have the same accounts in every run. */
export function seededKeypair(seed: string, index: number): Keypair {
  return Keypair.fromRawEd25519Seed(sha256(Buffer.from(`${seed}:${index}`)));
}
