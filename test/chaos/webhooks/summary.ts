import { isAcknowledged, match } from '../../oracle/matching.ts';
import { type EnteredPair, pairsOf } from './checks.ts';
import type { WebhookChaosEvidence } from './evidence.ts';

/** What happened in a run, in figures. */
export function summary(evidence: WebhookChaosEvidence): string[] {
  const pairs = pairsOf(evidence);
  const { entered, rolled_back, endpoints } = evidence;
  const { attempts, receipts } = evidence.webhooks;
  const count = (wanted: string) => pairs.filter(({ deliveries: [row] }) => row?.status === wanted).length;
  const lost = pairs.filter(({ deliveries }) => deliveries.length === 0).length;
  const faultless = pairs.filter((pair) => pair.faultless);
  const again = pairs.flatMap(causesOfRepetition);
  const because = (cause: Cause) => again.filter((one) => one === cause).length;
  const answers = [...Map.groupBy(receipts, ({ answered }) => `${answered ?? 'none'}`)]
    .map(([status, list]) => `${status} × ${list.length}`)
    .toSorted();
  const unrecorded = attempts.filter(({ timestamp }) => timestamp === null).length;
  return [
    `events ${entered.length} (rolled back besides: ${rolled_back.length}), endpoints ${endpoints.length}`,
    `pairs ${pairs.length}: acknowledged ${count('delivered')}, scheduled ${count('pending')}, given up ${count('failed')}, lost ${lost}`,
    `without faults: ${faultless.length} pairs, ${faultless.reduce((sum, pair) => sum + pair.receipts.length, 0)} requests`,
    `requests ${receipts.length}, answers ${answers.join(', ')}; attempts in the log ${attempts.length}, of which nobody recorded ${unrecorded}`,
    `sent again after an acknowledgement: ${again.length}, of which cut off before it was recorded ${because('cut off')}, not read in time ${because('late')}, recorded after the lease ${because('lease')}`,
  ];
}

type Cause = 'cut off' | 'late' | 'lease';

/** Returns the cause of each request that came after an acknowledgement. */
function causesOfRepetition({ receipts, attempts }: EnteredPair): Cause[] {
  const first = receipts.findIndex(({ answered }) => isAcknowledged(answered));
  const again = first < 0 ? 0 : receipts.length - first - 1;
  if (again === 0) return [];
  const { attempt } = match(receipts, attempts).requests[first] ?? {};
  const cause = attempt === undefined ? 'cut off' : attempt.status_code === null ? 'late' : 'lease';
  return Array(again).fill(cause);
}
