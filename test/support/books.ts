/** Wallets that are paid and pay, on a `InProcessService`, and what the comparison of their books says. */

import { strict as assert } from 'node:assert';
import {
  Asset,
  FeeBumpTransaction,
  Keypair,
  Operation,
  TimeoutInfinite,
  type Transaction,
  TransactionBuilder,
  type xdr,
} from '@stellar/stellar-sdk';
import { ingestDeposits } from '../../src/deposits/ingest/ingest-deposits.ts';
import { type CompareBooksDeps, compareBooks } from '../../src/deposits/reconcile/compare-books.ts';
import type { Reconciliation } from '../../src/deposits/reconcile/reconcile-store.ts';
import { publicKeyOf } from '../../src/stellar/address.ts';
import type { Wallet } from '../../src/wallets/access.ts';
import { createClaims } from '../../src/withdrawals/engine/claims.ts';
import { createWithdrawalEngine } from '../../src/withdrawals/engine/engine.ts';
import type { Withdrawal } from '../../src/withdrawals/engine/store.ts';
import { withdraw } from '../../src/withdrawals/request/withdraw.ts';
import { on } from './acting.ts';
import { closingLedgers, type InProcessService, sendPayment } from './in-process-service.ts';
import { signWith } from './sign.ts';
import { withdrawalSteps } from './withdrawal-steps.ts';

let serial = 0;

export function booksOf(world: () => InProcessService) {
  const { processLedgers } = withdrawalSteps(world);
  const payer = Keypair.random();
  const funded = new Set<string>();

  /** Both readers at the newest ledger. */
  async function catchUp(): Promise<void> {
    while ((await ingestDeposits(world().deps)).behind);
    await processLedgers();
  }

  /** Gives the ledger's hash of the transaction. */
  async function submit(transaction: Transaction | FeeBumpTransaction): Promise<string> {
    const { answer, code } = await world().deps.stellar.submit(transaction.toEnvelope().toXdr('base64'));
    assert.equal(answer, 'pending', `${code}`);
    world().sandbox.closeLedger();
    return Buffer.from(transaction.hash()).toString('hex');
  }

  async function build(source: string, operations: xdr.Operation[]): Promise<Transaction> {
    const { rpc, sandbox } = world();
    const builder = new TransactionBuilder(await rpc.getAccount(source), {
      fee: '100',
      networkPassphrase: sandbox.passphrase,
    });
    for (const operation of operations) builder.addOperation(operation);
    return builder.setTimeout(TimeoutInfinite).build(); // see sendPayment
  }

  async function ensureFunded(keypair: Keypair): Promise<void> {
    if (funded.has(keypair.publicKey())) return;
    funded.add(keypair.publicKey());
    await closingLedgers(world().sandbox, world().deps.stellar.fund(keypair.publicKey()));
  }

  return {
    catchUp,
    payer,

    /** Somebody outside pays so many whole units. */
    async paid(wallet: Wallet, units: number): Promise<void> {
      await ensureFunded(payer);
      await sendPayment(world(), payer, { destination: wallet.account, amount: `${units}` });
      world().sandbox.closeLedger();
    },

    /** One transaction of an account of our own making. */
    async sent(source: Keypair, operations: xdr.Operation[]): Promise<string> {
      const transaction = await build(source.publicKey(), operations);
      transaction.sign(source);
      return submit(transaction);
    },

    ensureFunded,

    /** With the wallet's own key, behind the service's back. */
    async unmatchedAssignedTo(wallet: Wallet, operations: xdr.Operation[]): Promise<string> {
      const { db, vault } = world().deps;
      const transaction = await build(wallet.account, operations);
      const { sealed_seed } = await db
        .selectFrom('wallets')
        .select('sealed_seed')
        .where('id', '=', wallet.id)
        .executeTakeFirstOrThrow();
      const owner = { id: wallet.id, public_key: publicKeyOf(wallet.account) };
      const signature = await signWith(vault, sealed_seed, owner, Buffer.from(transaction.hash()));
      transaction.addSignature(wallet.account, signature.toString('base64'));
      return submit(transaction);
    },

    /** Withdrawals at once, each to its outcome; ledgers close all the while. */
    async withdrawn(
      wallet: Wallet,
      orders: { destination: string; amount_stroops: bigint }[],
    ): Promise<Withdrawal[]> {
      const { deps, sandbox } = world();
      const engine = createWithdrawalEngine(deps);
      engine.start();
      const parts = { claims: createClaims(deps), engine };
      const all = orders.map((order) => {
        const key = {
          idempotency_key: `books-${serial++}`,
          memo_id: null,
          memo_return: null,
          allow_issuer: false,
          asset_code: 'native',
          asset_issuer: null,
          refund_of: null,
          reference: null,
        };
        const whole = { ...on(wallet), ...key, ...order };
        return withdraw(deps, parts, whole);
      });
      const settled = await closingLedgers(sandbox, Promise.all(all), 100);
      await engine.stop();
      return settled;
    },

    /** The same inner transaction in an envelope whose fee somebody else pays. */
    bumpedBy(stranger: Keypair, envelope_xdr: string): FeeBumpTransaction {
      const { passphrase } = world().sandbox;
      const ours = TransactionBuilder.fromXDR(envelope_xdr, passphrase);
      const inner = ours instanceof FeeBumpTransaction ? ours.innerTransaction : ours;
      const theirs = TransactionBuilder.buildFeeBumpTransaction(stranger, '5000', inner, passphrase);
      theirs.sign(stranger);
      return theirs;
    },
    submit,

    /** The comparison of one wallet, made now; null when none can be made. */
    async compared(wallet: Wallet, deps: CompareBooksDeps = world().deps): Promise<Reconciliation[] | null> {
      return (await compareBooks(deps, [wallet])).get(wallet.id) ?? null;
    },

    /** Asserts that the books agree, at the newest ledger. Gives the native row. */
    async assertAgrees(wallet: Wallet): Promise<Reconciliation> {
      await catchUp();
      const { sequence } = await world().deps.stellar.latestLedger();
      const rows = (await compareBooks(world().deps, [wallet])).get(wallet.id);
      assert(rows, 'it was compared');
      for (const row of rows) {
        assert.equal(row.difference_stroops, 0n, `${row.asset_code}: ${JSON.stringify(row.may_explain)}`);
        assert.deepEqual([row.ledger, row.agreed_ledger], [sequence, sequence]);
      }
      return rows[0] as Reconciliation;
    },

    /** Returns the native asset's one difference, as the reconciliation shows it. */
    async difference(
      wallet: Wallet,
    ): Promise<{ stroops: bigint; may_explain: Reconciliation['may_explain'] }> {
      const rows = (await compareBooks(world().deps, [wallet])).get(wallet.id);
      const native = rows?.find(({ asset_issuer }) => asset_issuer === '');
      assert(native, 'it was compared');
      return { stroops: native.difference_stroops, may_explain: native.may_explain };
    },
  };
}

export const payment = (destination: string, units: number, asset = Asset.native()): xdr.Operation =>
  Operation.payment({ destination, asset, amount: `${units}` });
