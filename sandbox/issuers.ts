import type { Transaction as SdkTransaction, xdr } from '@stellar/stellar-sdk/base';
import {
  Account,
  Asset,
  extractBaseAddress,
  Keypair,
  Memo,
  Operation,
  TransactionBuilder,
} from '@stellar/stellar-sdk/base';
import { Refusal } from './explorer/refusal.ts';
import { explainResult } from './explorer/result-explanations.ts';
import { units } from './explorer/sentence-parts.ts';
import type { Friendbot } from './friendbot.ts';
import { hex } from './ledger/bytes.ts';
import type { ClosedLedger } from './ledger/close.ts';
import { loadAccount } from './ledger/ledger-txn.ts';
import type { Transaction } from './ledger/transaction.ts';
import type { Log } from './log.ts';
import { hashOf, type Network } from './network.ts';
import { issuerFlags, issuerKeypair, type TestAsset, testAssets } from './test-assets.ts';
import { deployerKeypair, type TestContractState } from './test-contracts.ts';

/** What the issuers name as their web site. The name can never exist (RFC 6761). */
export const HOME_DOMAIN = 'sandbox.invalid';

/** Units of the native asset. */
const ISSUER_BALANCE = '100';
/** Units. Each contract takes half a unit as reserve. */
const DEPLOYER_BALANCE = '5000';
/** A bid far above the base fee, so that surge pricing does not shut out new users. */
const FEE_STROOPS_PER_OPERATION = '100000';
/** Ledgers in which `keep` tries to make the issuers. Anybody can spend the root account. */
const MAX_FAILURES = 3;

export type LineOrder = {
  asset: TestAsset;
  /** The holder of the trust line: G…, or M…, which stands for its account. */
  account: string;
};

export type PayOrder = {
  asset: TestAsset;
  /** G… or M… address. */
  destination: string;
  amount_stroops: bigint;
  memo_id?: bigint | undefined;
};

/** A transaction that succeeded in a ledger. */
export type Applied = { hash: string; ledger: number };

type Sent = { transaction: Transaction; resolve: (applied: Applied) => void; reject: (why: Refusal) => void };

/**
 * The issuers of the test assets. Their accounts are made when they are first needed, by ordinary transactions, so
 * that a ledger in which nobody uses the assets has none of them.
 *
 * An account that friendbot creates is the source of each order's transaction, and the issuer that of its operation.
 * So any number of orders fit into one ledger, each with its own memo.
 */
export class Issuers {
  readonly #network: Network;
  readonly #friendbot: Friendbot;
  readonly #log: Log;
  readonly #assets: TestAsset[];
  readonly #keys: ReadonlyMap<string, Keypair>;
  #making: Promise<void> | null = null;
  #deploying: Promise<void> = Promise.resolve();
  #sent: Sent[] = [];
  #stopped = false;

  constructor(network: Network, friendbot: Friendbot, log: Log) {
    this.#network = network;
    this.#friendbot = friendbot;
    this.#log = log;
    const { passphrase } = network.options;
    this.#assets = testAssets(passphrase);
    this.#keys = new Map(
      this.#assets.map(({ asset_code }) => [asset_code, issuerKeypair(passphrase, asset_code)]),
    );
    network.onClose({ after: (ledger) => this.#answer(ledger) });
  }

  /** Makes the issuers with the next ledgers, and again after the network was reset. */
  keep(): void {
    let failures = 0;
    const make = () => {
      if (this.#making !== null || failures === MAX_FAILURES || this.#missing().length === 0) return;
      this.make().then(
        () => {
          failures = 0;
        },
        (error: unknown) => {
          failures++;
          if (!this.#stopped)
            this.#log.warn({ err: error }, 'the issuers of the test assets could not be made');
        },
      );
    };
    this.#network.onClose({ before: make });
  }

  /**
   * Resolves when a ledger has the accounts of all issuers with their flags. Does nothing when it has.
   * @throws Refusal when the root account cannot create them, or the network stops
   */
  make(): Promise<void> {
    this.#making ??= this.#makeMissing().finally(() => {
      this.#making = null;
    });
    return this.#making;
  }

  /**
   * Issues an amount of the asset to an address.
   * @throws Refusal with the network's reason when a ledger has the payment as failed, or no ledger will have it
   */
  async pay({ asset, destination, amount_stroops, memo_id }: PayOrder): Promise<Applied> {
    const order = { destination, asset: sdkAsset(asset), amount: units(amount_stroops), ...sourceOf(asset) };
    return await this.#order(asset, Operation.payment(order), memo_id);
  }

  /** Lets the trust line receive and send. @throws Refusal as `pay` does */
  async authorize(order: LineOrder): Promise<Applied> {
    return await this.#setFlags(order, true);
  }

  /** Takes that away. The asset's offers of the holder are removed. @throws Refusal as `pay` does */
  async revoke(order: LineOrder): Promise<Applied> {
    return await this.#setFlags(order, false);
  }

  /** Takes an amount out of the trust line and destroys it. @throws Refusal as `pay` does */
  async clawBack({
    asset,
    account,
    amount_stroops,
  }: LineOrder & { amount_stroops: bigint }): Promise<Applied> {
    const from = extractBaseAddress(account);
    const order = { from, asset: sdkAsset(asset), amount: units(amount_stroops), ...sourceOf(asset) };
    return await this.#order(asset, Operation.clawback(order));
  }

  /** Makes the contract (C…) exist (test-contracts.ts), or changes its state. @throws Refusal as `pay` does */
  deploy(contract: string, state: TestContractState = 'live'): Promise<Applied> {
    const deployed = this.#deploying.then(() => this.#deploy(contract, state));
    // One after the other: the first creates the account, and two of them would both try.
    this.#deploying = deployed.then(
      () => undefined,
      () => undefined,
    );
    return deployed;
  }

  /** Answers all that waits, and every later order at once. */
  stop(): void {
    this.#stopped = true;
    for (const { reject } of this.#sent) reject(stopping());
    this.#sent = [];
  }

  async #setFlags({ asset, account }: LineOrder, authorized: boolean): Promise<Applied> {
    const trustor = extractBaseAddress(account);
    const flags = { authorized, authorizedToMaintainLiabilities: false };
    const order = { trustor, asset: sdkAsset(asset), flags, ...sourceOf(asset) };
    return await this.#order(asset, Operation.setTrustLineFlags(order));
  }

  async #order(asset: TestAsset, operation: xdr.Operation, memo_id?: bigint): Promise<Applied> {
    await this.make();
    return await this.#apply(await this.#newAccount(), [this.#keyOf(asset.asset_code)], [operation], memo_id);
  }

  async #deploy(contract: string, state: TestContractState): Promise<Applied> {
    const deployer = deployerKeypair(this.#network.options.passphrase);
    const source = deployer.publicKey();
    const operations = [Operation.manageData({ name: contract, value: state, source })];
    if (!this.#network.accountExists(deployer.rawPublicKey()))
      operations.unshift(Operation.createAccount({ destination: source, startingBalance: DEPLOYER_BALANCE }));
    return await this.#apply(await this.#newAccount(), [deployer], operations);
  }

  async #makeMissing(): Promise<void> {
    while (this.#missing().length > 0) {
      const source = await this.#newAccount();
      const { latest, maxOperations } = this.#network;
      // The limits of this ledger, and of the queue, which uses those of the last ledger.
      const room = Math.floor(Math.min(maxOperations, latest.header.maxTxSetSize) / 2);
      const made = this.#missing().slice(0, Math.max(1, room));
      const operations = made.flatMap((asset) => this.#operationsFor(asset));
      const signing = made.map(({ asset_code }) => this.#keyOf(asset_code));
      await this.#apply(source, signing, operations);
    }
  }

  /** Two operations, in one transaction, so that nobody can trust the issuer before it has its flags. */
  #operationsFor({ asset_code, asset_issuer: source }: TestAsset): xdr.Operation[] {
    const setFlags = issuerFlags(asset_code) as 1; // The SDK's type has single flags only.
    const settings = Operation.setOptions({ homeDomain: HOME_DOMAIN, setFlags, source });
    if (this.#network.accountExists(this.#keyOf(asset_code).rawPublicKey())) return [settings];
    const account = { destination: source, startingBalance: ISSUER_BALANCE };
    return [Operation.createAccount(account), settings];
  }

  /** The home domain is written together with the flags, so it tells whether an account is finished. */
  #missing(): TestAsset[] {
    const { state } = this.#network;
    return this.#assets.filter(({ asset_code }) => {
      const account = loadAccount(state, this.#keyOf(asset_code).rawPublicKey());
      return account?.homeDomain.toString() !== HOME_DOMAIN;
    });
  }

  async #newAccount(): Promise<Keypair> {
    const key = Keypair.random();
    const outcome = await this.#friendbot.fund(key.publicKey());
    if (outcome === 'stopped') throw stopping();
    if (outcome === 'failed')
      throw new Refusal(503, 'failed', 'The root account cannot create accounts any more.');
    return key;
  }

  #apply(
    source: Keypair,
    signing: Keypair[],
    operations: xdr.Operation[],
    memo_id?: bigint,
  ): Promise<Applied> {
    if (this.#stopped) return Promise.reject(stopping());
    const built = this.#build(source, operations, memo_id);
    built.sign(source, ...signing);
    const submission = this.#network.submit(built.toEnvelope().toXdr());
    const { status, transaction, error_result_xdr } = submission;
    if (error_result_xdr !== null) return Promise.reject(refusalOf(error_result_xdr));
    if (status !== 'PENDING') {
      const words = `The network does not take transaction ${hashOf(submission)} now. Try again.`;
      return Promise.reject(new Refusal(409, status, words));
    }
    return new Promise((resolve, reject) => this.#sent.push({ transaction, resolve, reject }));
  }

  #build(source: Keypair, operations: xdr.Operation[], memo_id: bigint | undefined): SdkTransaction {
    const sequence = this.#network.sequenceOf(source.rawPublicKey()) ?? 0n;
    const builder = new TransactionBuilder(new Account(source.publicKey(), sequence.toString()), {
      fee: FEE_STROOPS_PER_OPERATION,
      networkPassphrase: this.#network.options.passphrase,
    });
    if (memo_id !== undefined) builder.addMemo(Memo.id(memo_id.toString()));
    for (const operation of operations) builder.addOperation(operation);
    return builder.setTimeout(0).build();
  }

  #answer({ header, transactions }: ClosedLedger): void {
    const waiting = this.#sent;
    this.#sent = [];
    for (const sent of waiting) {
      const closed = transactions.find(({ tx }) => tx === sent.transaction);
      if (closed?.successful) sent.resolve({ hash: hex(closed.tx.hash), ledger: header.ledgerSeq });
      else if (closed !== undefined) sent.reject(refusalOf(closed.resultXdr));
      else if (this.#network.queue.has(sent.transaction)) this.#sent.push(sent);
      else
        sent.reject(new Refusal(503, 'dropped', 'The network dropped the transaction, so nothing was done.'));
    }
  }

  #keyOf(asset_code: string): Keypair {
    const key = this.#keys.get(asset_code);
    if (key === undefined) throw new Error(`${asset_code} is not a test asset`);
    return key;
  }
}

function refusalOf(resultXdr: Uint8Array): Refusal {
  const { transaction, operations } = explainResult(resultXdr);
  const operation = operations.find(({ words }) => words !== 'done');
  if (operation === undefined) return new Refusal(422, transaction.code, transaction.words);
  return new Refusal(422, operation.code, `Refused: ${operation.words}.`);
}

function stopping(): Refusal {
  return new Refusal(503, 'stopping', 'The network is stopping.');
}

function sdkAsset({ asset_code, asset_issuer }: TestAsset): Asset {
  return new Asset(asset_code, asset_issuer);
}

function sourceOf({ asset_issuer }: TestAsset): { source: string } {
  return { source: asset_issuer };
}
