/** What processes do for withdrawals, one step at a time, on a `InProcessService` whose ledgers close when the test says so. */

import { strict as assert } from 'node:assert';
import { Keypair, xdr } from '@stellar/stellar-sdk';
import { newId } from '../../src/lib/ids.ts';
import type { LedgerTransaction, Stellar } from '../../src/stellar/stellar.ts';
import { envelopeHashes, innerTransaction } from '../../src/stellar/transactions/envelope.ts';
import type { Wallet } from '../../src/wallets/access.ts';
import { createClaims } from '../../src/withdrawals/engine/claims.ts';
import { createWithdrawalEngine } from '../../src/withdrawals/engine/engine.ts';
import type { EngineDeps } from '../../src/withdrawals/engine/hooks.ts';
import { ingestOutcomes } from '../../src/withdrawals/engine/ingest-outcomes.ts';
import { findWithdrawals } from '../../src/withdrawals/engine/queries.ts';
import { signBatch } from '../../src/withdrawals/engine/sign-batch.ts';
import type { Withdrawal } from '../../src/withdrawals/engine/store.ts';
import { assignTxSources } from '../../src/withdrawals/engine/tx-source-store.ts';
import { ACTOR } from './acting.ts';
import { closingLedgers, type InProcessService } from './in-process-service.ts';
import { withSharedSecond } from './shared-second.ts';

export const LEASE = { until: new Date(Date.now() + 60_000), limit: 100 };

export function withdrawalSteps(world: () => InProcessService) {
  const withStellar = (stellar: Partial<Stellar>): EngineDeps => ({
    ...world().deps,
    stellar: { ...world().deps.stellar, ...stellar },
  });

  async function read(id: string): Promise<Withdrawal> {
    const found = (await findWithdrawals(world().deps.db, [id])).get(id);
    assert(found);
    return found;
  }

  /** A process that claims the withdrawal, and dies. */
  async function claim(
    wallet: Wallet,
    amount_stroops = 20_000_000n,
    destination = Keypair.random().publicKey(),
  ): Promise<Withdrawal> {
    const created_at = new Date();
    const id = newId('wd', created_at);
    const { holder } = await createClaims(world().deps).claim({
      id,
      wallet_id: wallet.id,
      owner_id: wallet.owner_id,
      idempotency_key: id,
      operation: 'create_account',
      asset_code: 'native',
      asset_issuer: null,
      destination,
      amount_stroops,
      memo_id: null,
      memo_return: null,
      refund_of: null,
      wallet_account: wallet.account,
      actor: ACTOR,
      created_at,
    });
    assert(holder);
    return holder;
  }

  /**
   * A whole process works on all rows until these have their outcomes. `pace_ms`: between two ledgers, which come no faster than
   * the database answers: else ledger time runs away from a process that waits for it.
   */
  async function waitForOutcomes(ids: string[], deps = world().deps, pace_ms = 100): Promise<void> {
    await deps.db
      .updateTable('withdrawals')
      .set({ leased_until: new Date(0) })
      .execute();
    const engine = createWithdrawalEngine(deps);
    engine.start();
    const outcomes = Promise.all(ids.map((id) => engine.waitFor(id)));
    await closingLedgers(world().sandbox, outcomes, pace_ms, () => world().deps.pool.query('select 1'));
    await engine.stop();
  }

  async function balanceOf(account: string): Promise<bigint> {
    const { accounts } = await world().deps.stellar.readAccounts([account]);
    return accounts.get(account)?.balance_stroops ?? 0n;
  }

  /** Processes every closed ledger; returns the withdrawal cursor. */
  async function processLedgers(deps = world().deps) {
    while ((await ingestOutcomes(deps)).behind);
    return (await ingestOutcomes(deps)).cursor;
  }

  /** Closes and processes ledgers until one has closed after `close_time`, in steps as short as in ordinary work. */
  async function closeInSteps(close_time: bigint, deps = world().deps): Promise<void> {
    while ((await world().deps.stellar.latestLedger()).close_time <= close_time) {
      for (let i = 0; i < 10; i++) world().sandbox.closeLedger();
      await processLedgers(deps);
    }
  }

  /**
   * Closes and processes ledgers up to the first of three that share the second `last`. Returns a process whose network shows
   * them so.
   */
  async function reachSecond(last: bigint, deps = world().deps): Promise<EngineDeps> {
    const sharing = { ...deps, stellar: withSharedSecond(deps.stellar, last) };
    for (let closed = 1; world().sandbox.closeLedger().close_time < last - 2n; closed++)
      if (closed % 10 === 0) await processLedgers(sharing);
    const { close_time } = await processLedgers(sharing);
    assert.equal(close_time, last);
    return sharing;
  }

  /** Takes a transaction source, signs and commits, as a process that dies before it sends. */
  async function signOnly(id: string, deps = world().deps): Promise<Withdrawal> {
    await processLedgers(deps);
    await assignTxSources(deps.db, LEASE);
    const { signed } = await signBatch(deps, [id], LEASE.until);
    const row = await read(id);
    assert.deepEqual(signed, [row], 'what it hands on is what the row holds');
    return row;
  }

  /** Transactions of the ledger as somebody else makes them with the wallet's key: without a fingerprint of their Idempotency-Key. */
  function namingNoKeys(): EngineDeps {
    const { stellar, config } = world().deps;
    return withStellar({
      async readLedgersAfter(...asked) {
        const range = await stellar.readLedgersAfter(...asked);
        if (range.read !== 'ledgers') return range;
        const transactions = range.transactions.map((each) => withoutMinTime(config.passphrase, each));
        return { ...range, transactions };
      },
    });
  }

  return {
    withStellar,
    namingNoKeys,
    read,
    claim,
    waitForOutcomes,
    balanceOf,
    processLedgers,
    closeInSteps,
    reachSecond,
    signOnly,
  };
}

function withoutMinTime(passphrase: string, transaction: LedgerTransaction): LedgerTransaction {
  const envelope = xdr.TransactionEnvelope.fromXdr(transaction.envelope);
  const result = xdr.TransactionResult.fromXdr(transaction.result);
  const { cond } = innerTransaction(envelope);
  if (cond.type === 'precondTime') Object.assign(cond.timeBounds, { minTime: 0n });
  const { hash, inner_hash } = envelopeHashes(passphrase, envelope);
  const outer = result.result;
  if (outer.type === 'txFeeBumpInnerSuccess' || outer.type === 'txFeeBumpInnerFailed')
    Object.assign(outer.innerResultPair.transactionHash, { value: Buffer.from(inner_hash, 'hex') });
  const bytes = { envelope: Buffer.from(envelope.toXdr()), result: Buffer.from(result.toXdr()) };
  return { ...transaction, hash, ...bytes };
}
