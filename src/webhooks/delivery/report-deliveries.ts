/** Tells the log and the metrics how attempts and deliveries ended, after the commit that has recorded it. */
import type { Deps } from '../../deps.ts';
import { closeTimesOf } from '../../ledgers/deposit-cursor.ts';
import { isAcknowledged } from '../../outgoing/post.ts';
import type { Ended, Outcome } from '../store/delivery-store.ts';

/** Deposits of the same ledgers are acknowledged one after the other. */
const REMEMBERED_LEDGERS = 1_000;

export type DeliveryReport = {
  attempts(outcomes: Outcome[]): void;
  /**
   * Reports deliveries that have ended. `bodies`: of their events by id. Waits for the close times of ledgers that it does not
   * know yet. It never fails.
   */
  ended(deliveries: Ended[], bodies: Map<string, Buffer>): Promise<void>;
};

export function createDeliveryReport(deps: Pick<Deps, 'db' | 'log' | 'metrics'>): DeliveryReport {
  const { log, metrics } = deps;
  const close_times = new Map<number, bigint>();

  async function closeTimes(ledgers: number[]): Promise<Map<number, bigint>> {
    const unknown = [...new Set(ledgers)].filter((ledger) => !close_times.has(ledger));
    if (unknown.length === 0) return close_times;
    if (close_times.size + unknown.length > REMEMBERED_LEDGERS) close_times.clear();
    for (const [ledger, close_time] of await closeTimesOf(deps.db, unknown))
      close_times.set(ledger, close_time);
    return close_times;
  }

  async function timeDeposits(acknowledged: Ended[], bodies: Map<string, Buffer>): Promise<void> {
    const deposits = acknowledged.flatMap(({ id, ended_at }) => {
      const deposit = depositIn(bodies.get(id));
      return deposit === null ? [] : [{ ...deposit, ended_at }];
    });
    for (const { created_ms, ended_at } of deposits)
      metrics.deposit_told_seconds.observe(Math.max(0, ended_at.getTime() - created_ms) / 1000);
    const known = await closeTimes(deposits.map(({ ledger }) => ledger));
    for (const { ledger, ended_at } of deposits) {
      const close_time = known.get(ledger);
      if (close_time === undefined) continue; // a backfill leaves no positions
      const seconds = ended_at.getTime() / 1000 - Number(close_time);
      metrics.deposit_acknowledged_seconds.observe(Math.max(0, seconds));
    }
  }

  return {
    attempts(outcomes) {
      for (const { status_code, duration_ms } of outcomes) {
        const result =
          status_code === null ? 'unanswered' : isAcknowledged(status_code) ? 'acknowledged' : 'refused';
        metrics.delivery_attempt_seconds.observe({ result }, duration_ms / 1000);
      }
    },
    async ended(deliveries, bodies) {
      for (const { id, endpoint_id, delivered } of deliveries) {
        metrics.deliveries.inc({ outcome: delivered ? 'delivered' : 'given_up' });
        if (!delivered) log.warn({ delivery_id: id, endpoint_id }, 'a delivery was given up');
      }
      const first = deliveries.filter((delivery) => delivery.delivered && delivery.first);
      // A figure less: the deliveries are recorded, and must not be sent again.
      await timeDeposits(first, bodies).catch((error) =>
        log.debug({ err: error }, 'the close times of ledgers could not be read'),
      );
    },
  };
}

const DEPOSIT_EVENT = '{"event":"deposit.';
type DepositData = { ledger: number; created_at: string; assigned_by_hand: boolean };

/** Reads the deposit in a body. Null unless the deposit was found in its ledger: an assigned one may be years old. */
function depositIn(body: Buffer | undefined): { ledger: number; created_ms: number } | null {
  if (body?.toString('latin1', 0, DEPOSIT_EVENT.length) !== DEPOSIT_EVENT) return null;
  const { data } = JSON.parse(body.toString()) as { data: Partial<DepositData> };
  const { ledger, created_at, assigned_by_hand } = data;
  if (assigned_by_hand || ledger === undefined || created_at === undefined) return null;
  return { ledger, created_ms: Date.parse(created_at) };
}
