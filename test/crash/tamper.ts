/** Falsifications of true evidence of a run with kills, one at a time: each must be noticed. */
import { assetTamperings } from '../oracle/asset-tamper.ts';
import { isToContract } from '../oracle/contract-checks.ts';
import { depositTamperings } from '../oracle/deposit-tamper.ts';
import { treasuryTamperings } from '../oracle/treasury-tamper.ts';
import { webhookTamperings } from '../oracle/webhook-tamper.ts';
import { need, tamperingsOf, tamperings as withdrawalTamperings } from '../oracle/withdrawal-tamper.ts';
import { eventually } from '../support/eventually.ts';
import type { ApiWithdrawal, CrashEvidence } from './evidence.ts';
import type { Load } from './load.ts';

type CrashTampering = { name: string; evidence: CrashEvidence };

/** Leases run out in it, of transaction sources too, also on a machine that does much else. */
const FALSIFIABLE_WITHIN_MS = 240_000;

/** The simulation shows these: here nobody looks through inboxes, issuers only pay, and there are no faultless times. */
const ONLY_IN_SIMULATION = [
  /refund|assign|by hand|compar/,
  /clawback|change of a trust line|trapped/,
  /^an event that is sent (twice though nothing failed|again after it was acknowledged)$/,
];

/**
 * Waits until clients have what must be falsified: a withdrawal that was confirmed while its client waited, and one that
 * failed; and where assets are used, a payment of one, a transfer to a contract, and a trust line that was added and one that was removed. On a slow
 * machine the kills leave no time for them. Call it before the load ends.
 */
export async function untilFalsifiable({ journal: { calls, assets, asset_calls } }: Load): Promise<void> {
  await eventually(
    'outcomes to falsify',
    () => {
      const answers = calls.map(({ answer }) => answer);
      const paid = calls.some(
        ({ order, answer }) => order.asset !== 'native' && answer?.data?.status === 'confirmed',
      );
      const isPaid = calls.some(
        ({ order, answer }) => isToContract(order) && answer?.data?.status === 'confirmed',
      );
      const isDone = (wish: string, status: number) =>
        asset_calls.some((call) => call.wish === wish && call.answer?.status === status);
      return (
        answers.some((answer) => answer?.status === 201 && answer.data?.status === 'confirmed') &&
        answers.some((answer) => answer?.data?.status === 'failed') &&
        (assets.length === 0 || (paid && isPaid && isDone('add', 201) && isDone('remove', 200)))
      );
    },
    FALSIFIABLE_WITHIN_MS,
  );
}

/** One at a time: evidence of a long run is too large to be copied for all of them at once. */
export function* tamperings(evidence: CrashEvidence): Generator<CrashTampering> {
  const hasAssets = evidence.shown_assets !== null;
  const pays = evidence.treasury?.pays?.fees ?? false;
  const absent = [
    ...ONLY_IN_SIMULATION,
    ...(hasAssets ? [] : [/^an issued balance/]),
    // A process of a version without audit log took part: nobody can tell that an entry is missing.
    ...(evidence.audit.complete ? [] : [/^a request that the audit log does not have$/]),
  ];
  const isHere = ({ name }: { name: string }) => !absent.some((pattern) => pattern.test(name));
  if (hasAssets) yield* assetTamperings(evidence, isHere);
  if (hasAssets)
    yield* treasuryTamperings(evidence, (kind) => isHere(kind) && (pays || /contract/.test(kind.name)));
  yield* withdrawalTamperings(evidence, isHere);
  yield* depositTamperings(evidence, isHere);
  yield* webhookTamperings(evidence, isHere);
  yield* tamperingsOf(evidence, CLIENTS);
}

type ClientTampering = { name: string; tamper: (copy: CrashEvidence) => unknown };

function tampering(name: string, tamper: (copy: CrashEvidence['clients']) => unknown): ClientTampering {
  return { name, tamper: ({ clients }) => tamper(clients) };
}

const CLIENTS: ClientTampering[] = [
  tampering('a ledger that was lost', ({ seen_by_payers }) => seen_by_payers.push('0'.repeat(64))),
  tampering('an outcome that changed after it was told', ({ answers }) => {
    need(answers.find(({ data }) => data.status === 'confirmed')).data.created_at = '';
  }),
  tampering('an order that the API does not list', (copy) => void withdrawalsOf(copy).pop()),
  tampering('a withdrawal that the API lists twice', (copy) => {
    withdrawalsOf(copy).push(need(withdrawalsOf(copy)[0]));
  }),
  tampering('a withdrawal that the API lists with another outcome', (copy) => {
    need(withdrawalsOf(copy)[0]).stellar_tx_hash = '0'.repeat(64);
  }),
  tampering('a deposit that the API does not list', (copy) => void depositsOf(copy).pop()),
  tampering('a deposit that the API lists with another amount', (copy) => {
    need(depositsOf(copy)[0]).amount_stroops += 1n;
  }),
  tampering('a delivery that the API lists as pending', (copy) => {
    need(endpointsOf(copy)[0]?.deliveries[0]).status = 'pending';
  }),
  tampering('a delivery that the API does not list', (copy) => {
    need(endpointsOf(copy)[0]).deliveries.pop();
  }),
  tampering('a signing secret that is not the one its owner was given', (copy) => {
    for (const endpoint of endpointsOf(copy)) endpoint.signing_secret = 'whsec_other';
  }),
];

function withdrawalsOf({ wallets }: CrashEvidence['clients']): ApiWithdrawal[] {
  return need(wallets.find(({ withdrawals }) => withdrawals.length > 0)).withdrawals;
}

function depositsOf({ wallets }: CrashEvidence['clients']) {
  return need(wallets.find(({ deposits }) => deposits.length > 0)).deposits;
}

function endpointsOf({ wallets }: CrashEvidence['clients']) {
  return wallets
    .flatMap(({ endpoints }) => endpoints)
    .filter(({ deliveries }) => deliveries.some(({ status }) => status === 'delivered'));
}
