/** The sandbox network on virtual time: two RPC nodes, ledgers that close by themselves, and what it all came to. */
import assert from 'node:assert/strict';
import {
  Account,
  type Asset,
  type FeeBumpTransaction,
  type Keypair,
  type Memo,
  SorobanDataBuilder,
  StrKey,
  type Transaction,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk/base';
import { Friendbot } from '../../sandbox/friendbot.ts';
import { availableBalance, numSponsoring } from '../../sandbox/ledger/account.ts';
import { trustLineKey } from '../../sandbox/ledger/entry.ts';
import { rootKeypair } from '../../sandbox/ledger/genesis.ts';
import { loadAccount } from '../../sandbox/ledger/ledger-txn.ts';
import { Network } from '../../sandbox/network.ts';
import { type NodeCondition, StellarNode, UP_TO_DATE } from '../../sandbox/node.ts';
import { SANDBOX_PASSPHRASE } from '../../sandbox/passphrase.ts';
import { answer } from '../../sandbox/rpc/dispatch.ts';
import { ledgerCloseMetaXdr } from '../../sandbox/rpc/ledger-close-meta.ts';
import { LedgerStore } from '../../sandbox/store/ledger-store.ts';
import type { Log } from '../../src/lib/log.ts';
import type { LineAuthorization } from '../oracle/evidence.ts';
import type { AppliedTransaction } from '../oracle/ledger.ts';
import type { AccountState } from '../oracle/read-database.ts';
import { bothReadings } from '../oracle/read-ledger.ts';
import type { Random } from '../support/random.ts';
import type { Tally } from './faults.ts';
import { type Owner, type Scheduler, START_MS } from './scheduler.ts';

export const NODES = ['a', 'b'] as const;
export type NodeName = (typeof NODES)[number];

export type Contents = {
  operations: xdr.Operation[];
  memo?: Memo;
  /** What the call of a contract declares; entries as base64 of their keys. */
  contract?: {
    read_only: string[];
    read_write: string[];
    instructions: number;
    disk_read_bytes: number;
    write_bytes: number;
    resource_fee_stroops: bigint;
  };
};

/** A trust line as the ledger has it. */
export type HeldLine = {
  balance_stroops: bigint;
  limit_stroops: bigint;
  authorization: LineAuthorization;
};

/** By the two lowest flags of a trust line. */
const AUTHORIZATIONS: readonly LineAuthorization[] = ['none', 'full', 'maintain_liabilities'];

/** Closing takes about so long, as on the public network. */
const CLOSE_SECONDS = 5;
/** How often further ledgers follow one within a second, as from protocol 30 on. One is drawn. */
const BURST_CHANCES = [0, 0.3, 0.8];
const BURST = { most: 3, apart_ms: [20, 300] } as const;
const RETENTION_LEDGERS = 20_000;

export class SimulatedNetwork {
  readonly network: Network;
  readonly root: Keypair = rootKeypair(SANDBOX_PASSPHRASE);
  readonly friendbot: Friendbot;
  readonly transactions: AppliedTransaction[] = [];
  /** Standing conditions of the nodes. */
  readonly conditions: Record<NodeName, NodeCondition> = { a: UP_TO_DATE, b: UP_TO_DATE };
  /** Runs before each ledger closes. */
  beforeClose: () => void = () => undefined;
  readonly #scheduler: Scheduler;
  readonly #world: Owner;
  readonly #log: Log;

  /** @param isOurs whether an account's balance is to be followed */
  constructor(scheduler: Scheduler, world: Owner, log: Log, isOurs: (account: string) => boolean) {
    this.#scheduler = scheduler;
    this.#world = world;
    this.#log = log;
    const store = new LedgerStore(null, SANDBOX_PASSPHRASE);
    this.network = new Network(store, {
      passphrase: SANDBOX_PASSPHRASE,
      clock: { now: () => new Date(scheduler.now_ms), sleep: () => Promise.resolve() },
      close_seconds: CLOSE_SECONDS,
      retention_ledgers: RETENTION_LEDGERS,
      emit_classic_events: false,
    });
    this.friendbot = new Friendbot(this.network, log);
    this.network.onClose({ after: ({ header }) => this.#read(header.ledgerSeq, isOurs) });
    scheduler.now_ms = START_MS;
  }

  /** As a node gives it, by both readers. */
  #read(sequence: number, isOurs: (account: string) => boolean): void {
    const node = new StellarNode(this.network, () => UP_TO_DATE);
    const ledger = this.network.store.ledger(sequence);
    assert(ledger);
    const metadata = ledgerCloseMetaXdr(ledger, node.transactionsOf(sequence));
    this.transactions.push(...bothReadings(metadata, SANDBOX_PASSPHRASE, isOurs));
  }

  get latest(): { sequence: number; close_time: bigint } {
    const { header } = this.network.latest;
    return { sequence: header.ledgerSeq, close_time: header.scpValue.closeTime };
  }

  /** From now on ledgers close by themselves. */
  start(random: Random, tally: Tally): void {
    const burst_chance = random.pick(BURST_CHANCES);
    const closeNext = () => {
      if (this.network.halted) return;
      const before = this.latest.close_time;
      this.close();
      if (this.latest.close_time === before) tally.add('ledger_of_the_same_second');
    };
    const closeMore = (more: number) => {
      if (more === 0) return;
      this.#scheduler.later(this.#world, random.integer(...BURST.apart_ms), () => {
        closeNext();
        closeMore(more - 1);
      });
    };
    const next = () => {
      closeNext();
      if (random.chance(burst_chance)) closeMore(random.integer(1, BURST.most));
      this.#scheduler.later(this.#world, CLOSE_SECONDS * 1000, next);
    };
    this.#scheduler.later(this.#world, CLOSE_SECONDS * 1000, next);
  }

  close(): void {
    this.beforeClose();
    const before = this.transactions.length;
    this.network.close();
    const { sequence, close_time } = this.latest;
    const applied = this.transactions
      .slice(before)
      .map((tx) => `${tx.hash.slice(0, 8)}${tx.successful ? '' : '!'}`);
    this.#scheduler.history.record('ledger', `${sequence} at ${close_time}: ${applied.join(' ')}`);
  }

  /** What a node answers to a JSON-RPC body, in a condition that may be worse than its standing one. */
  ask(name: NodeName, body: string, worse: Partial<NodeCondition> = {}): string {
    const standing = this.conditions[name];
    const condition = {
      ...standing,
      ...worse,
      lag_ledgers: Math.max(standing.lag_ledgers, worse.lag_ledgers ?? 0),
      oldest_ledger: Math.max(standing.oldest_ledger, worse.oldest_ledger ?? 0),
    };
    const node = new StellarNode(this.network, () => condition);
    return JSON.stringify(answer(body, { node, friendbot_url: () => 'http://friendbot.sim/' }, this.#log));
  }

  /** A transaction of somebody else, as of the ledger now. */
  build(
    source: Keypair,
    { operations, memo, contract }: Contents,
    options: { fee?: string; signers?: Keypair[]; max_time?: number } = {},
  ): Transaction {
    const sequence = this.network.sequenceOf(source.rawPublicKey()) ?? 0n;
    const builder = new TransactionBuilder(new Account(source.publicKey(), `${sequence}`), {
      fee: options.fee ?? '100',
      networkPassphrase: SANDBOX_PASSPHRASE,
      ...(memo && { memo }),
    }).setTimebounds(0, options.max_time ?? 0);
    for (const operation of operations) builder.addOperation(operation);
    if (contract) builder.setSorobanData(declaration(contract));
    const transaction = builder.build();
    for (const signer of options.signers ?? [source]) transaction.sign(signer);
    return transaction;
  }

  /** The status that core gives it. */
  submit(transaction: Transaction | FeeBumpTransaction): string {
    return this.network.submit(transaction.toEnvelope().toXdr()).status;
  }

  exists(account: string): boolean {
    return this.network.accountExists(StrKey.decodeEd25519PublicKey(account));
  }

  balanceOf(key: Uint8Array): bigint {
    return loadAccount(this.network.state, key)?.balance ?? 0n;
  }

  /** What an account has beyond its reserves; less than nothing where fees have used some of them. */
  spendableOf(account: string): bigint {
    const found = loadAccount(this.network.state, StrKey.decodeEd25519PublicKey(account));
    return found ? availableBalance(this.network.latest.header, found) : 0n;
  }

  /** Reserves of others that an account pays. */
  sponsoringOf(account: string): number {
    const found = loadAccount(this.network.state, StrKey.decodeEd25519PublicKey(account));
    return found ? numSponsoring(found) : 0;
  }

  /** Of an issued asset. */
  lineOf(account: string, asset: Asset): HeldLine | undefined {
    const key = StrKey.decodeEd25519PublicKey(account);
    const data = this.network.entry(trustLineKey(key, asset.toTrustLineXdrObject().toXdrObject()))?.data;
    if (data?.type !== 1) return undefined;
    const { balance, limit, flags } = data.trustLine;
    return {
      balance_stroops: balance,
      limit_stroops: limit,
      authorization: AUTHORIZATIONS[flags & 3] ?? 'none',
    };
  }

  /** What the network has for an account, and what it holds of these issued assets. */
  accountState(account: string, assets: Asset[]): AccountState {
    const key = StrKey.decodeEd25519PublicKey(account);
    return {
      balance_stroops: this.balanceOf(key),
      issued: assets.map((asset) => {
        const line = this.lineOf(account, asset);
        const authorization = line?.authorization ?? null;
        return { asset: asset.toString(), balance_stroops: line?.balance_stroops ?? 0n, authorization };
      }),
      sequence: this.network.sequenceOf(key) ?? null,
    };
  }

  closeStore(): void {
    this.network.store.close();
  }
}

function declaration(contract: NonNullable<Contents['contract']>): xdr.SorobanTransactionData {
  const keys = (texts: string[]) => texts.map((text) => xdr.LedgerKey.fromXdr(text, 'base64'));
  return new SorobanDataBuilder()
    .setFootprint(keys(contract.read_only), keys(contract.read_write))
    .setResources(contract.instructions, contract.disk_read_bytes, contract.write_bytes)
    .setResourceFee(contract.resource_fee_stroops)
    .build();
}
