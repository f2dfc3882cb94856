/** All falsifications of what is known after a run, and whether a run has enough for them. */
import { NAMES as ASSETS, assetTamperings } from './asset-tamper.ts';
import { NAMES as CHANNELS, channelTamperings } from './channel-tamper.ts';
import { checklistOf } from './checklist.ts';
import { NAMES as CHOICES, choiceTamperings } from './choice-tamper.ts';
import { NAMES as DEPOSITS, depositTamperings } from './deposit-tamper.ts';
import type { Evidence } from './evidence.ts';
import { NAMES as TREASURY, treasuryTamperings } from './treasury-tamper.ts';
import { NAMES as WEBHOOKS, webhookTamperings } from './webhook-tamper.ts';
import { type Choice, type Tampering, tamperings, NAMES as WITHDRAWALS } from './withdrawal-tamper.ts';

export function* allTamperings<E extends Evidence>(evidence: E, isChosen?: Choice): Iterable<Tampering<E>> {
  for (const falsify of [
    tamperings,
    depositTamperings,
    webhookTamperings,
    choiceTamperings,
    assetTamperings,
    treasuryTamperings,
    channelTamperings,
  ])
    yield* falsify(evidence, isChosen);
}

/** Books are compared, and assets listed, when all else is over. */
const AT_THE_END = /compar|trust line that is shown/;

/** Whether everything that is to be falsified has happened: for a run that goes on until it has, whatever its seed. */
export function createChecklist(): (evidence: Evidence) => boolean {
  const names = [...WITHDRAWALS, ...DEPOSITS, ...WEBHOOKS, ...CHOICES, ...ASSETS, ...TREASURY, ...CHANNELS];
  return checklistOf(
    names.filter((name) => !AT_THE_END.test(name)),
    (evidence, wanted) => [...allTamperings(evidence, ({ name }) => name === wanted)],
  );
}
