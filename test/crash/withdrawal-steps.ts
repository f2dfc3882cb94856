/** How a withdrawal is brought to each of its steps and kept there, and what is true in that instant. */
import assert from 'node:assert/strict';
import { eventually } from '../support/eventually.ts';
import { asksAccounts, type RpcCall } from '../support/rpc-proxy.ts';
import {
  type ControlledService,
  claimed,
  isOf,
  type Lock,
  type Order,
  parse,
  passLedgerTime,
  paymentsOf,
  rowOf,
} from './controlled-service.ts';
import { type DecodedTransaction, decodeLedger } from './decoded-ledger.ts';
import { sayOfSubmission } from './false-answers.ts';

/** What is true in the instant of the kill. */
type Left = {
  row: null | 'queued' | 'signed' | 'confirmed';
  tx_source: boolean;
  /** An envelope has left the service; whether the network has got it is another matter. */
  sent: boolean;
  on_ledger: boolean;
  on_channel?: boolean;
  /** A fee-bump of what was sent plain. */
  bump_sent?: boolean;
};

export type Step = {
  name: string;
  /** Brings the service to the step and keeps it there. `ordered` sends the request. */
  reach(stage: ControlledService, order: Order, ordered: () => void): Promise<Lock | null>;
  left: Left;
  /** Default: its sessions end before its locks do, so that a blocked statement never takes effect. */
  statement_survives?: boolean;
  /** Another step leaves the same rows behind, and `npm test` runs that one. */
  long_only?: boolean;
};

const NOTHING: Left = { row: null, tx_source: false, sent: false, on_ledger: false };
const QUEUED: Left = { row: 'queued', tx_source: false, sent: false, on_ledger: false };
const ASSIGNED: Left = { ...QUEUED, tx_source: true };
const SIGNED: Left = { ...ASSIGNED, row: 'signed' };
const SENT: Left = { ...SIGNED, sent: true };
const APPLIED: Left = { ...SENT, on_ledger: true };

/**
 * The question for its sequence number, and for the account of its payee: the next for accounts alone once it has its transaction source.
 * (The preflight asks for two entries of each account, and reconciliation, which asks for accounts too, may come at any time.)
 */
async function asksSequence(stage: ControlledService, order: Order, call: RpcCall): Promise<boolean> {
  return asksAccounts(call) && ((await rowOf(stage, order))?.tx_source ?? null) !== null;
}

export const BEFORE_SENDING: Step = {
  name: 'after the commit, before sending',
  left: SENT, // and lost on its way
  async reach({ proxy }, _order, ordered) {
    const held = proxy.hold('sendTransaction', 'request');
    ordered();
    await held;
    return null;
  },
};

const COMMIT_DIES: Step = { name: 'after signing, before the commit', left: ASSIGNED, reach: reachCommit };
const COMMIT_SURVIVES: Step = {
  name: 'while the server still commits the envelope',
  left: SIGNED,
  statement_survives: true,
  reach: reachCommit,
};
const BEFORE_SEQUENCES: Step = {
  name: 'after the tx_source, before the sequence number is read',
  left: ASSIGNED,
  async reach(stage, order, ordered) {
    const held = stage.proxy.hold('getLedgerEntries', 'request', (call) => asksSequence(stage, order, call));
    ordered();
    await held;
    return null;
  },
};
const LEDGER_ON_ITS_WAY: Step = {
  name: 'after the ledger closed, with the answer that proves it still on its way',
  left: APPLIED,
  long_only: true,
  async reach(stage, order, ordered) {
    const { held } = holdLedgers(stage, order);
    ordered();
    await held;
    return null;
  },
};
const PROCESSING: Step = {
  name: 'in the middle of processing a ledger, before the outcome is written',
  left: APPLIED,
  reach: (stage, order, ordered) =>
    reachProcessing(stage, order, ordered, rowLock(order), 'applied.successful'),
};

/** Up to the envelope. */
export const SIGNING_STEPS: Step[] = [
  {
    name: 'before the claim',
    left: NOTHING,
    async reach({ proxy }, _order, ordered) {
      const held = proxy.hold('getLedgerEntries', 'request');
      ordered();
      await held;
      return null;
    },
  },
  { name: 'in the middle of the claim', left: NOTHING, reach: reachClaim },
  {
    name: 'while the server still inserts the claim, which nobody commits',
    left: NOTHING,
    statement_survives: true,
    long_only: true,
    reach: reachClaim,
  },
  { name: 'after the claim, before the tx_source', left: QUEUED, reach: reachQueue },
  { name: 'in the middle of taking the tx_source', left: QUEUED, reach: reachTxSource },
  {
    name: 'while the server still gives the tx_source',
    left: ASSIGNED,
    statement_survives: true,
    long_only: true,
    reach: reachTxSource,
  },
  BEFORE_SEQUENCES,
  {
    name: 'with the sequence number in its hand',
    left: ASSIGNED,
    long_only: true,
    async reach(stage, order, ordered) {
      const held = stage.proxy.hold('getLedgerEntries', 'answer', (call) => asksSequence(stage, order, call));
      ordered();
      await held;
      return null;
    },
  },
  COMMIT_DIES,
  COMMIT_SURVIVES,
];

function onlyLong(step: Step): Step {
  return { ...step, long_only: true };
}

/**
 * Of a payment of an issued asset, of a trust line, or of what the treasury pays. `npm test` runs the outcome, which is their own;
 * up to there they take the same steps as the withdrawals of kill-at-each-step.test.ts.
 */
export function stepsOfAsset(): Step[] {
  return [...SIGNING_STEPS, ...PROOF_STEPS].map((step) => (step === PROCESSING ? step : onlyLong(step)));
}

/** Of these, `npm test` runs those that only a refund does, and the outcome. */
export function stepsOfRefund(): Step[] {
  return [...REFUND_STEPS, ...stepsOfAsset()];
}

/** The steps of a refund. The assignment of a deposit takes the same lock. */
const REFUND_STEPS: Step[] = [
  { name: 'while it waits for the deposit', left: NOTHING, reach: reachDeposit },
  {
    name: 'while the server still locks the deposit for it, which nobody commits',
    left: NOTHING,
    statement_survives: true,
    long_only: true,
    reach: reachDeposit,
  },
];

/** From the first sending to the answer. */
export const PROOF_STEPS: Step[] = [
  BEFORE_SENDING,
  {
    name: 'after sending, before the answer to it',
    left: APPLIED,
    async reach(stage, order, ordered) {
      const sent = stage.proxy.hold('sendTransaction', 'answer');
      const { held } = holdLedgers(stage, order);
      ordered();
      await Promise.all([sent, held]);
      return null;
    },
  },
  {
    name: 'after the ledger closed, before it knows of that',
    left: APPLIED,
    long_only: true,
    async reach(stage, order, ordered) {
      const { proxy } = stage;
      holdLedgers(stage, order); // one that asks already, for what it knew before, would get it
      proxy.treat('sendTransaction', async (call) => {
        proxy.treat('getHealth', () => undefined); // never answered
        call.reply(await call.forward());
      });
      ordered();
      await eventually('its ledger', async () => (await paymentsOf(stage, order)).length > 0);
      return null;
    },
  },
  LEDGER_ON_ITS_WAY,
  {
    name: 'with the proof in its hand, before the ledger is processed',
    left: APPLIED,
    long_only: true,
    reach: (stage, order, ordered) =>
      reachProcessing(
        stage,
        order,
        ordered,
        'select * from withdrawal_cursor for no key update',
        'update withdrawal_cursor',
      ),
  },
  {
    name: 'in the middle of processing a ledger, before the sequence number is written',
    left: APPLIED,
    reach: (stage, order, ordered) =>
      reachProcessing(
        stage,
        order,
        ordered,
        `select * from tx_sources where account = '${order.wallet.account}' for no key update`,
        'greatest(last_sequence',
      ),
  },
  PROCESSING,
  {
    name: 'while the server still writes the outcome, which nobody commits',
    left: APPLIED,
    statement_survives: true,
    long_only: true,
    reach: PROCESSING.reach,
  },
  {
    name: 'after the ledger is processed, before the answer',
    left: { ...APPLIED, row: 'confirmed' },
    async reach(stage, order, ordered) {
      // the withdrawal cursor stops at its last lock; the table lock queues behind it, and the next reader behind that.
      const row = await PROCESSING.reach(stage, order, ordered);
      const table = stage.lock('lock table withdrawals in access exclusive mode');
      await eventually('its place in the queue', async () => {
        const wanted = `select from pg_locks where mode = 'AccessExclusiveLock' and not granted`;
        return (await stage.query(`${wanted} and relation = to_regclass('withdrawals')`)).length > 0;
      });
      await row?.release();
      const lock = await table;
      await stage.blocked('from withdrawals');
      const { rows } = await lock.client.query('select status from withdrawals where idempotency_key = $1', [
        order.key,
      ]);
      assert.equal(rows[0].status, 'confirmed');
      return lock;
    },
  },
];

/** A network that wants a higher fee for what is not a fee-bump. */
export const BUMP_STEPS: Step[] = [
  { name: 'after signing a fee-bump, before its commit', left: SENT, reach: reachBump },
  {
    name: 'while the server still commits a fee-bump',
    left: SENT,
    statement_survives: true,
    long_only: true,
    reach: reachBump,
  },
  {
    name: 'after the commit of a fee-bump, before sending it',
    left: { ...SENT, bump_sent: true },
    async reach(stage, _order, ordered) {
      const bumped = new Promise<void>((resolve) => {
        refuseFee(stage, (_call, { is_fee_bump }) => {
          if (is_fee_bump) resolve();
          return !is_fee_bump;
        });
      });
      ordered();
      await bumped;
      return null;
    },
  },
  {
    name: 'after sending a fee-bump, before the answer to it',
    left: { ...APPLIED, bump_sent: true },
    async reach(stage, order, ordered) {
      refuseFee(stage, async (call, { is_fee_bump }) => {
        if (is_fee_bump) await call.forward();
        return !is_fee_bump;
      });
      const { held } = holdLedgers(stage, order);
      ordered();
      await held;
      return null;
    },
  },
];

const onChannel = (step: Step): Step => ({ ...step, left: { ...step.left, on_channel: true } });

export const CHANNEL_STEPS: Step[] = [
  ...[BEFORE_SENDING, PROCESSING].map(onChannel),
  ...[BEFORE_SEQUENCES, COMMIT_DIES, COMMIT_SURVIVES, LEDGER_ON_ITS_WAY].map(onChannel).map(onlyLong),
];

/** Where channels pay their fees: up to the outcome they are the same steps. */
export const CHANNEL_FEE_STEPS = CHANNEL_STEPS.map((step) =>
  step.name === PROCESSING.name ? step : onlyLong(step),
);

export const EXPIRY_STEPS: Step[] = [
  {
    name: 'while it looks whether the network has it after all',
    left: SENT,
    async reach(stage, order, ordered) {
      const held = stage.proxy.hold('getTransaction', 'answer');
      await outlive(stage, order, ordered);
      await held;
      return null;
    },
  },
  { name: 'with the proof in its hand, before recording it', left: SENT, reach: reachExpiry },
  {
    name: 'while the server still records it, which nobody commits',
    left: SENT,
    statement_survives: true,
    long_only: true,
    reach: reachExpiry,
  },
];

const rowLock = ({ key }: Order) =>
  `select * from withdrawals where idempotency_key = '${key}' for no key update`;

async function reachClaim(stage: ControlledService, _order: Order, ordered: () => void): Promise<Lock> {
  const lock = await stage.lock('lock table withdrawals in exclusive mode'); // reads pass
  ordered();
  await stage.blocked('insert into withdrawals');
  return lock;
}

async function reachDeposit(
  stage: ControlledService,
  { refund_of }: Order,
  ordered: () => void,
): Promise<Lock> {
  const lock = await stage.lock(`select * from deposits where id = '${refund_of}' for update`);
  ordered();
  await stage.blocked('from lock_deposits');
  return lock;
}

/** Transaction sources that somebody has locked are passed over. */
async function reachQueue(stage: ControlledService, order: Order, ordered: () => void): Promise<Lock> {
  const lock = await stage.lock(
    `select * from tx_sources where account = '${order.wallet.account}' for no key update`,
  );
  ordered();
  await claimed(stage, order);
  return lock;
}

/**
 * Wallets' own transaction sources are given by one statement and channels by the next, and both write to the table: a lock that comes
 * between them keeps the service at the second, where this order gets nothing.
 */
async function reachTxSource(stage: ControlledService, order: Order, ordered: () => void): Promise<Lock> {
  const row = await reachQueue(stage, order, ordered);
  for (;;) {
    const table = await stage.lock('lock table tx_sources in share mode'); // only now: the claim writes to it too
    if ((await stage.blocked('with heads', 'with free')) === 'with heads') {
      await row.release();
      return table;
    }
    await table.release();
  }
}

/** The row is locked while the sequence number is on its way: the next to write to it is the commit of the envelope. */
async function reachCommit(stage: ControlledService, order: Order, ordered: () => void): Promise<Lock> {
  const sequence = Promise.withResolvers<void>();
  const asked = new Promise<void>((resolve) => {
    stage.proxy.treat('getLedgerEntries', async (call) => {
      const answer = await call.forward();
      if (await asksSequence(stage, order, call)) {
        resolve();
        await sequence.promise;
      }
      call.reply(answer);
    });
  });
  ordered();
  await asked;
  const lock = await stage.lock(rowLock(order));
  sequence.resolve();
  await stage.blocked('signed.envelope_xdr');
  return lock;
}

/** Keeps back every ledger that has the order's payment until `release`. `held` resolves when the first is asked for. */
function holdLedgers(stage: ControlledService, order: Order): { held: Promise<void>; release(): void } {
  const held = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  stage.proxy.treat('getLedgers', async (call) => {
    const answer = await call.forward();
    const transactions = (answer.result?.ledgers ?? []).flatMap(
      (ledger: any) => decodeLedger(ledger).transactions,
    );
    if (
      transactions.some(({ envelope }: DecodedTransaction) =>
        isOf(order, parse(envelope.toString('base64'), stage)),
      )
    ) {
      held.resolve();
      await gate.promise;
    }
    call.reply(answer);
  });
  return { held: held.promise, release: gate.resolve };
}

async function reachProcessing(
  stage: ControlledService,
  order: Order,
  ordered: () => void,
  lock_statement: string,
  blocked: string,
): Promise<Lock> {
  const ledgers = holdLedgers(stage, order);
  ordered();
  await ledgers.held;
  const lock = await stage.lock(lock_statement);
  ledgers.release();
  await stage.blocked(blocked);
  return lock;
}

type ParsedEnvelope = ReturnType<typeof parse>;

/** Refuses what is sent because of its fee, as long as `refused` says so; else it never answers. */
function refuseFee(
  stage: ControlledService,
  refused: (call: RpcCall, sent: ParsedEnvelope) => boolean | Promise<boolean>,
): void {
  stage.proxy.treat('sendTransaction', async (call) => {
    const sent = parse(call.params.transaction, stage);
    if (await refused(call, sent)) sayOfSubmission(call, sent.hash, 'ERROR', 'txInsufficientFee');
  });
}

async function reachBump(stage: ControlledService, order: Order, ordered: () => void): Promise<Lock> {
  const first = Promise.withResolvers<() => void>();
  let times = 0;
  refuseFee(stage, async () => {
    if (++times === 1) await new Promise<void>((resolve) => first.resolve(resolve));
    return true;
  });
  ordered();
  const answer = await first.promise;
  const lock = await stage.lock(rowLock(order));
  answer();
  await stage.blocked('array_append');
  return lock;
}

/** The network takes nothing, and its time passes. */
async function outlive(stage: ControlledService, order: Order, ordered: () => void): Promise<void> {
  const sent = new Promise<void>((resolve) => {
    stage.proxy.treat('sendTransaction', (call) => {
      const { hash } = parse(call.params.transaction, stage);
      sayOfSubmission(call, hash, 'TRY_AGAIN_LATER'); // PENDING for so long would be bumped
      resolve();
    });
  });
  ordered();
  await sent;
  await passLedgerTime(stage, BigInt((await rowOf(stage, order)).max_time));
}

async function reachExpiry(stage: ControlledService, order: Order, ordered: () => void): Promise<Lock> {
  const proof = Promise.withResolvers<void>();
  const asked = new Promise<void>((resolve) => {
    stage.proxy.treat('getTransaction', async (call) => {
      const answer = await call.forward();
      resolve();
      await proof.promise;
      call.reply(answer);
    });
  });
  await outlive(stage, order, ordered);
  await asked;
  const lock = await stage.lock(rowLock(order));
  proof.resolve();
  await stage.blocked('update withdrawals set status = $1');
  return lock;
}
