/** Enters events as the ingester does: many in a transaction, and again when nobody knows whether it was committed. */
import { setTimeout } from 'node:timers/promises';
import { isConnectFailure, isConnectionLost } from '../../../src/db/failures.ts';
import type { Deps } from '../../../src/deps.ts';
import { newId } from '../../../src/lib/ids.ts';
import { enqueueEvents, type OutgoingEvent } from '../../../src/webhooks/events/enqueue.ts';
import type { Random } from '../../support/random.ts';

export type Entered = {
  wallet_id: string;
  /** The exact bytes that receivers are promised. */
  body: string;
  /** Entered and delivered while nobody was killed and every receiver answered. */
  faultless: boolean;
};

export type Entering = { events: number; over_ms: number; faultless: boolean };
type Entries = { entered: Entered[]; rolled_back: string[]; entered_again: number };

/** Transactions at a time: they wait for each other's sequence numbers. */
const WRITERS = 4;
const BATCH = { min: 10, max: 100 };
const ROLLED_BACK_CHANCE = 0.1;
const RETRY_MS = 100;

class ChangedMind extends Error {}

export async function enterEvents(
  deps: Deps,
  pickWallet: () => string,
  { events, over_ms, faultless }: Entering,
  random: Random,
): Promise<Entries> {
  const entries: Entries = { entered: [], rolled_back: [], entered_again: 0 };
  const began = performance.now();
  let begun = 0;

  async function enter(batch: OutgoingEvent[]): Promise<void> {
    for (;;) {
      try {
        await deps.db.transaction().execute((trx) => enqueueEvents(trx, batch));
        return;
      } catch (error) {
        if (!isConnectFailure(error) && !isConnectionLost(error)) throw error;
        entries.entered_again++;
        await setTimeout(RETRY_MS);
      }
    }
  }

  async function enterAndRollBack(batch: OutgoingEvent[]): Promise<void> {
    const work = deps.db.transaction().execute(async (trx) => {
      await enqueueEvents(trx, batch);
      throw new ChangedMind();
    });
    await work.catch((error) => {
      if (!(error instanceof ChangedMind || isConnectFailure(error) || isConnectionLost(error))) throw error;
    });
    entries.rolled_back.push(...batch.map(bodyPromised));
  }

  async function writer(): Promise<void> {
    while (begun < events) {
      const size = Math.min(random.integer(BATCH.min, BATCH.max), events - begun);
      const due_ms = (begun / events) * over_ms;
      const is_first = begun === 0;
      begun += size;
      await setTimeout(Math.max(began + due_ms - performance.now(), 0));
      const eventsOf = (count: number) => Array.from({ length: count }, () => eventOf(pickWallet(), random));
      if (!faultless && (is_first || random.chance(ROLLED_BACK_CHANCE)))
        await enterAndRollBack(eventsOf(size));
      const batch = eventsOf(size);
      await enter(batch);
      for (const event of batch)
        entries.entered.push({ wallet_id: event.wallet_id, body: bodyPromised(event), faultless });
    }
  }

  await Promise.all(Array.from({ length: WRITERS }, writer));
  return entries;
}

function eventOf(wallet_id: string, random: Random): OutgoingEvent {
  const now = new Date();
  const id = newId('dep', now);
  const data = { id, wallet_id, note: 'ü'.repeat(random.integer(0, 200)) };
  return { wallet_id, type: 'deposit.created', about: id, deposit_id: id, data, now };
}

/** Not by the service's own code. */
function bodyPromised({ type, data }: OutgoingEvent): string {
  return `{"event":"${type}","data":${JSON.stringify(data)}}`;
}
