import { z } from 'zod';
import { STATE_BYTES } from '../ledger/contract/settings.ts';
import { MAX_OPERATIONS_PER_LEDGER } from '../ledger/genesis.ts';
import { DROPPED_SETS_PROTOCOL, NEWEST_PROTOCOL, PROTOCOLS } from '../ledger/protocols.ts';
import { CLOSED_BY_HAND_STEP_MS, type Network } from '../network.ts';
import { frozenKey, frozenSchema } from './kinds/frozen.ts';
import { BadScript, ledgerSequence, parsed } from './script.ts';

/** Validators refuse a close time more than this ahead of their clock (stellar-core, MAX_TIME_SLIP_SECONDS). */
const MAX_TIME_SLIP_SECONDS = 60;
const YEAR_SECONDS = 31_536_000;

const resumeSchema = z.strictObject({
  /** How far the first close time may lag behind the clock. It may have been proposed long before (Q11). */
  close_time_lag_seconds: z.int().min(0).max(YEAR_SECONDS).default(0),
});
const skewSchema = z.strictObject({ seconds: z.int().min(-YEAR_SECONDS).max(MAX_TIME_SLIP_SECONDS) });
const closeSchema = z.strictObject({
  ledgers: z.int().min(1).max(10_000).default(1),
  /** Least ledger time since the ledger before. Below 1000, several ledgers may share a second (protocol 30). */
  step_ms: z
    .int()
    .min(1)
    .max(YEAR_SECONDS * 1000)
    .default(CLOSED_BY_HAND_STEP_MS),
});
const pruneSchema = z.strictObject({ oldest_ledger: ledgerSequence });
const capacitySchema = z.strictObject({ max_operations: z.int().min(0).max(0xffffffff).nullable() });
const upgradeSchema = z.strictObject({ protocol: z.literal(PROTOCOLS).default(NEWEST_PROTOCOL) });
const dropSetsSchema = z.strictObject({ sets: z.int().min(0).max(1_000).default(1) });
const contractStateSchema = z.strictObject({ bytes: z.int().min(0).max(1e15).nullable() });
const nothingSchema = z.strictObject({});

/** Faults of the whole network. Each function checks its input, because it may come from code or over HTTP. */
export class NetworkFaults {
  readonly #network: Network;

  constructor(network: Network) {
    this.#network = network;
  }

  /** No ledger closes until `resume`. */
  halt(input: z.input<typeof nothingSchema> = {}): void {
    parsed(nothingSchema, input);
    this.#network.halted = true;
  }

  resume(input: z.input<typeof resumeSchema> = {}): void {
    const { close_time_lag_seconds } = parsed(resumeSchema, input);
    this.#network.halted = false;
    this.#network.clock.next_lag_seconds = close_time_lag_seconds;
  }

  /** Sets how far the clocks of the validators are ahead of the real time; 0 ends it. */
  clock_skew(input: z.input<typeof skewSchema>): void {
    this.#network.clock.skew_seconds = parsed(skewSchema, input).seconds;
  }

  /** Closes ledgers now, independently of the timer. */
  close(input: z.input<typeof closeSchema> = {}): void {
    const { ledgers, step_ms } = parsed(closeSchema, input);
    if (this.#network.halted) {
      throw new BadScript([{ field: 'ledgers', message: 'the network is halted: resume it first' }]);
    }
    for (let closed = 0; closed < ledgers; closed++) this.#network.close(step_ms);
  }

  /** Starts a new network with the same passphrase. Its first ledger with a close time closes at once. */
  reset(input: z.input<typeof nothingSchema> = {}): void {
    parsed(nothingSchema, input);
    this.#network.halted = false;
    this.#network.reset();
    this.#network.close();
  }

  /** The node forgets its queue and its bans (Q8). */
  restart(input: z.input<typeof nothingSchema> = {}): void {
    parsed(nothingSchema, input);
    this.#network.restart();
  }

  /** Deletes the history before this ledger at every node. It cannot come back. */
  prune(input: z.input<typeof pruneSchema>): void {
    const { oldest_ledger } = parsed(pruneSchema, input);
    const latest = this.#network.latest.header.ledgerSeq;
    if (oldest_ledger > latest) {
      const message = `must not be above the latest ledger, ${latest}`;
      throw new BadScript([{ field: 'oldest_ledger', message }]);
    }
    this.#network.prune(oldest_ledger);
  }

  /** Operations that fit into a ledger from the next one on. 0 = none, null = the number at the start. */
  capacity(input: z.input<typeof capacitySchema>): void {
    const { max_operations } = parsed(capacitySchema, input);
    const { options } = this.#network;
    this.#network.maxOperations = max_operations ?? options.max_operations ?? MAX_OPERATIONS_PER_LEDGER;
  }

  /** Upgrades the protocol with the next ledger. */
  upgrade(input: z.input<typeof upgradeSchema> = {}): void {
    const { protocol } = parsed(upgradeSchema, input);
    const message = this.#network.upgrade(protocol);
    if (message !== null) throw new BadScript([{ field: 'protocol', message }]);
  }

  /** The next transaction sets that are not empty are dropped (CAP-83). Their transactions stay in the queue. 0 ends it. */
  drop_sets(input: z.input<typeof dropSetsSchema> = {}): void {
    const { sets } = parsed(dropSetsSchema, input);
    const { ledgerVersion } = this.#network.latest.header;
    if (ledgerVersion < DROPPED_SETS_PROTOCOL) {
      const message = `a network of protocol ${ledgerVersion} drops no transaction set: that came with ${DROPPED_SETS_PROTOCOL}`;
      throw new BadScript([{ field: 'sets', message }]);
    }
    this.#network.setsToDrop = sets;
  }

  /** No transaction may name this account, or this trust line, from now on (CAP-77), until `thaw`. */
  freeze(input: z.input<typeof frozenSchema>): void {
    this.#network.frozen.add(frozenKey(parsed(frozenSchema, input)));
  }

  thaw(input: z.input<typeof frozenSchema>): void {
    this.#network.frozen.delete(frozenKey(parsed(frozenSchema, input)));
  }

  /** Sets how many bytes contracts keep in the ledger: rent grows with them. null = as at the start. */
  contract_state(input: z.input<typeof contractStateSchema>): void {
    const { bytes } = parsed(contractStateSchema, input);
    this.#network.stateBytes = bytes === null ? STATE_BYTES : BigInt(bytes);
  }

  state() {
    const { halted, clock, latest, oldest, maxOperations, upgradeTo, setsToDrop } = this.#network;
    return {
      halted,
      clock_skew_seconds: clock.skew_seconds,
      latest_ledger: latest.header.ledgerSeq,
      latest_ledger_close_time: Number(latest.header.scpValue.closeTime),
      oldest_ledger: oldest.sequence,
      max_operations: maxOperations,
      protocol: latest.header.ledgerVersion,
      upgrade_to: upgradeTo,
      sets_to_drop: setsToDrop,
      frozen_entries: this.#network.frozen.size,
      contract_state_bytes: Number(this.#network.stateBytes),
    };
  }
}
