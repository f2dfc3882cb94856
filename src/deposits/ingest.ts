/**
 * Reads the ledgers one after the other and records what they pay to our wallets.
 *
 * | step                                   | a crash here leads to                                                   |
 * |----------------------------------------|-------------------------------------------------------------------------|
 * | read the ledgers after the cursor      | nothing has happened; they are read again                               |
 * | look up wallets, then addresses        | the same                                                                |
 * | one transaction: deposits, events,     | all of it is committed or none; a credit that is known already          |
 * | deliveries, cursor                     | (unique hash, operation, event) is left as it is                        |
 *
 * The cursor moves only in that transaction, only from where it was read, and only to a ledger that was read whole.
 * A gap in the source's history, or a network that is behind us, stops the ingester in the open: it never jumps.
 */
import type { LedgerRange } from '../chain/chain.ts';
import { creditsOf } from '../chain/credits.ts';
import { createLeadership } from '../db/leadership.ts';
import type { Deps } from '../deps.ts';
import { newId } from '../lib/ids.ts';
import { startLoop } from '../lib/loop.ts';
import { createPace } from '../lib/pace.ts';
import { enqueueEvents } from '../webhooks/enqueue.ts';
import { type Attributed, attribute, keysToLookUp, type LedgerCredit } from './attribute.ts';
import { showDeposit } from './show.ts';
import {
  addressesByKey,
  insertDeposits,
  moveCursor,
  type NewDeposit,
  readCursor,
  recordTrouble,
  walletsByAccount,
} from './store.ts';

/** Nobody waits for a deposit as for a withdrawal. */
const LOOKS = { least_ms: 500, most_ms: 500 };
/** Any fixed number that nothing else in the database uses. */
const INGESTER_LOCK = 7_354_002;

/** Reads the ledgers while this process leads; the others wait to take over. */
export function startIngester(deps: Deps): { stop(): Promise<void> } {
  const leadership = createLeadership(deps.pool, INGESTER_LOCK, deps.log);
  const pace = createPace(deps.clock, LOOKS);
  const loop = startLoop({
    name: 'ingester',
    step: async () => {
      if (!(await leadership.hold())) return false;
      const { ledger, behind } = await ingest(deps);
      pace.saw(ledger);
      return behind;
    },
    idle_ms: pace.wait_ms,
    clock: deps.clock,
    log: deps.log,
  });
  return {
    async stop() {
      await loop.stop();
      await leadership.release();
    },
  };
}

/** One step: the next ledgers, whole. Gives the one it is at then, and whether there are more already. */
export async function ingest(deps: Deps): Promise<{ ledger: number; behind: boolean }> {
  const cursor = await readCursor(deps.db);
  const range = await deps.chain.readLedgersAfter(cursor.ledger);
  if (range.read !== 'ledgers') {
    if (range.read !== 'nothing_new') await raise(deps, cursor, range);
    return { ledger: cursor.ledger, behind: false };
  }
  const attributed = await attributeCredits(deps, creditsIn(deps.config.passphrase, range));
  const now = deps.clock.now();
  await deps.db.transaction().execute(async (trx) => {
    const moved = await moveCursor(trx, { from: cursor.ledger, to: range.through_ledger, now });
    if (!moved) throw new Error('another ingester has moved the cursor; nothing was recorded here');
    const deposits = await insertDeposits(trx, newDeposits(attributed, now));
    const credited = deposits.filter(({ attributed }) => attributed);
    const type = 'deposit.created' as const;
    await enqueueEvents(
      trx,
      credited.map((deposit) => ({ wallet_id: deposit.wallet_id, type, data: showDeposit(deposit), now })),
    );
  });
  const behind = range.newest_close_time > range.through_close_time;
  return { ledger: range.through_ledger, behind };
}

type WholeLedgers = Extract<LedgerRange, { read: 'ledgers' }>;

function creditsIn(passphrase: string, { transactions }: WholeLedgers): LedgerCredit[] {
  return transactions.flatMap((transaction) =>
    creditsOf(passphrase, transaction).map((credit) => ({
      ...credit,
      ledger: transaction.ledger,
      hash: transaction.hash,
    })),
  );
}

/** Wallets are read after the ledgers: a wallet is committed before anyone can know its account and pay it. */
async function attributeCredits(deps: Deps, credits: LedgerCredit[]): Promise<Attributed[]> {
  const accounts = [...new Set(credits.map(({ account }) => account))];
  const wallets = await walletsByAccount(deps.db, accounts);
  const addresses = await addressesByKey(deps.db, keysToLookUp(credits, wallets));
  return attribute(credits, wallets, addresses);
}

function newDeposits(credits: Attributed[], now: Date): NewDeposit[] {
  return credits.map((credit) => ({
    id: newId('dep', now),
    wallet_id: credit.wallet_id,
    address_id: credit.address_id,
    asset_code: credit.asset_code,
    asset_issuer: credit.asset_issuer,
    amount_stroops: credit.amount_stroops,
    source_account: credit.source_account,
    stellar_tx_hash: credit.hash,
    operation_index: credit.operation_index,
    event_index: credit.event_index,
    kind: credit.kind,
    memo_id: credit.memo_id,
    memo_type: credit.memo.type,
    memo: credit.memo.value,
    ledger: credit.ledger,
    attributed: credit.address_id !== null,
    created_at: now,
  }));
}

type Stopped = Extract<LedgerRange, { read: 'gap' | 'reset' }>;

async function raise(
  deps: Deps,
  cursor: { ledger: number; trouble: string | null },
  stopped: Stopped,
): Promise<void> {
  const trouble =
    stopped.read === 'gap'
      ? `The network source begins at ledger ${stopped.oldest_ledger}; deposits after ledger ${cursor.ledger} are unread.`
      : `The network is at ledger ${stopped.latest_ledger}, but ledger ${cursor.ledger} is read already: it was reset.`;
  deps.log.error({ ledger: cursor.ledger }, `Deposits are not being read. ${trouble}`);
  if (cursor.trouble !== trouble) await recordTrouble(deps.db, trouble);
}
