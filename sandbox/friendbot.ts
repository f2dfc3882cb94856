import { Account, type Keypair, Operation, StrKey, TransactionBuilder } from '@stellar/stellar-sdk/base';
import { base64, hex } from './ledger/bytes.ts';
import type { ClosedLedger, ClosedTransaction } from './ledger/close.ts';
import { rootKeypair } from './ledger/genesis.ts';
import type { Transaction } from './ledger/transaction.ts';
import type { Log } from './log.ts';
import type { Network } from './network.ts';

/** 10,000 units of the native asset. */
export const FRIENDBOT_BALANCE_STROOPS = 100_000_000_000n;
const FRIENDBOT_BALANCE = '10000';

/** Operations in one transaction, at most. */
const MAX_BATCH = 100;
/** A bid far above the base fee, so that surge pricing does not shut out new users. */
const FEE_STROOPS_PER_OPERATION = '100000';
/** Transactions that try to create an account. Anybody can spend the root account, or make its transactions fail. */
const MAX_ATTEMPTS = 10;

export type Funded = { hash: string; ledger: number; envelope_xdr: string; result_xdr: string };
export type FundingOutcome = Funded | 'already_exists' | 'failed' | 'stopped';

type Request = {
  address: string;
  ed25519: Uint8Array;
  attempts: number;
  answer: (outcome: FundingOutcome) => void;
};

/**
 * Creates accounts out of the root account. The queue takes one transaction of an account at a time. So all
 * requests that wait when a ledger closes go into one transaction of up to 100 create_account operations.
 */
export class Friendbot {
  readonly #network: Network;
  readonly #log: Log;
  readonly #root: Keypair;
  #waiting: Request[] = [];
  #sent: { transaction: Transaction; requests: Request[] } | null = null;
  #stopped = false;

  constructor(network: Network, log: Log) {
    this.#network = network;
    this.#log = log;
    this.#root = rootKeypair(network.options.passphrase);
    network.onClose({ before: () => this.#send(), after: (ledger) => this.#answerRequests(ledger) });
  }

  static isValidAddress(address: string): boolean {
    return StrKey.isValidEd25519PublicKey(address);
  }

  /**
   * Resolves when the account exists in a closed ledger, created by this request or by anybody else, or when the
   * request has been given up.
   */
  fund(address: string): Promise<FundingOutcome> {
    const ed25519 = StrKey.decodeEd25519PublicKey(address);
    // No ledger will close any more, and a waiting request would keep the server from stopping.
    if (this.#stopped) return Promise.resolve('stopped');
    if (this.#network.accountExists(ed25519)) return Promise.resolve('already_exists');
    return new Promise((answer) => this.#waiting.push({ address, ed25519, attempts: 0, answer }));
  }

  /** Answers all waiting requests, and every later one at once. */
  stop(): void {
    this.#stopped = true;
    for (const request of [...(this.#sent?.requests ?? []), ...this.#waiting]) request.answer('stopped');
    this.#waiting = [];
    this.#sent = null;
  }

  #send(): void {
    this.#giveUpLost();
    if (this.#sent !== null || this.#waiting.length === 0) return;
    const requests = this.#nextBatch();
    if (requests.length === 0) return;
    const submission = this.#network.submit(this.#build(requests));
    if (submission.status === 'PENDING') {
      this.#sent = { transaction: submission.transaction, requests };
      return;
    }
    // Somebody else spends the well-known root account now. Try again with the next ledger.
    this.#log.warn({ status: submission.status }, 'friendbot could not submit');
    this.#waiting = [...requests, ...this.#waiting];
  }

  /** Takes each address once. A second request for the same address waits, and then finds the account. */
  #nextBatch(): Request[] {
    const { latest, maxOperations } = this.#network;
    // The limits of this ledger, and of the queue, which uses those of the last ledger.
    const room = Math.min(MAX_BATCH, maxOperations, latest.header.maxTxSetSize);
    const batch = new Map<string, Request>();
    const rest: Request[] = [];
    for (const request of this.#waiting) {
      if (this.#network.accountExists(request.ed25519)) request.answer('already_exists');
      else if (request.attempts === MAX_ATTEMPTS) request.answer('failed');
      else if (batch.size < room && !batch.has(request.address)) batch.set(request.address, request);
      else rest.push(request);
    }
    this.#waiting = rest;
    for (const request of batch.values()) request.attempts++;
    return [...batch.values()];
  }

  #build(requests: Request[]): Uint8Array {
    const sequence = this.#network.sequenceOf(this.#root.rawPublicKey()) ?? 0n;
    const source = new Account(this.#root.publicKey(), sequence.toString());
    const builder = new TransactionBuilder(source, {
      fee: FEE_STROOPS_PER_OPERATION,
      networkPassphrase: this.#network.options.passphrase,
    }).setTimeout(0);
    for (const { address } of requests) {
      builder.addOperation(
        Operation.createAccount({ destination: address, startingBalance: FRIENDBOT_BALANCE }),
      );
    }
    const transaction = builder.build();
    transaction.sign(this.#root);
    return transaction.toEnvelope().toXdr();
  }

  #answerRequests(ledger: ClosedLedger): void {
    const sent = this.#sent;
    const closed = ledger.transactions.find(({ tx }) => tx === sent?.transaction);
    if (sent !== null && closed !== undefined) {
      this.#sent = null;
      if (closed.successful) {
        const funded = describe(closed, ledger.header.ledgerSeq);
        for (const request of sent.requests) request.answer(funded);
      } else {
        // Another transaction of the same ledger has created one of the accounts, or spent the root account. So
        // every request is examined again.
        this.#waiting = [...sent.requests, ...this.#waiting];
      }
    }
    for (const request of this.#waiting) {
      if (this.#network.accountExists(request.ed25519)) request.answer('already_exists');
    }
    this.#waiting = this.#waiting.filter(({ ed25519 }) => !this.#network.accountExists(ed25519));
  }

  /** A batch that left the queue without being applied starts again. */
  #giveUpLost(): void {
    if (this.#sent === null || this.#network.queue.has(this.#sent.transaction)) return;
    this.#waiting = [...this.#sent.requests, ...this.#waiting];
    this.#sent = null;
  }
}

function describe(closed: ClosedTransaction, ledger: number): Funded {
  return {
    hash: hex(closed.tx.hash),
    ledger,
    envelope_xdr: base64(closed.tx.envelopeXdr),
    result_xdr: base64(closed.resultXdr),
  };
}
