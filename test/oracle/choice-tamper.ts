/** Falsifications of what is known of chosen events, one for each rule of choice-checks.ts. */
import { type ChoiceEvidence, choosing, isSurelyThere } from './choice-checks.ts';
import type { Evidence } from './evidence.ts';
import { type Choice, need, type Tampering, tamperingsOf } from './withdrawal-tamper.ts';

/** An event that tells an outcome to an endpoint that was surely there. */
function toldSurely({ outcomes, events, endpoints, deliveries }: ChoiceEvidence) {
  for (const event of events) {
    const outcome = outcomes.find(
      ({ id, status }) => event.type === `withdrawal.${status}` && event.body.includes(`"${id}"`),
    );
    const own = endpoints.filter(({ wallet_id }) => wallet_id === event.wallet_id);
    const endpoint = choosing(own, event.type).find((each) => isSurelyThere(each, outcome?.at ?? null));
    const delivery = deliveries.find(
      ({ event_id, endpoint_id }) => event_id === event.id && endpoint_id === endpoint?.id,
    );
    if (outcome && endpoint && delivery) return { event, outcome, endpoint, delivery };
  }
  return undefined;
}

type Told = NonNullable<ReturnType<typeof toldSurely>>;

const KINDS: { name: string; tamper: (told: Told, choices: ChoiceEvidence) => unknown }[] = [
  {
    name: 'an outcome that nobody was told',
    tamper: ({ event }, { events }) => events.splice(events.indexOf(event), 1),
  },
  {
    name: 'an outcome that was told twice',
    tamper: ({ event }, { events }) => events.push({ ...event, id: 'evt_again' }),
  },
  {
    name: 'an outcome that was told with another amount',
    tamper: ({ event }) => (event.body = event.body.replace('"amount_stroops":', '"amount_stroops":9')),
  },
  {
    name: 'an outcome that was told before it was final',
    tamper: ({ event }) => (event.body = event.body.replace(/"ledger":\w+/, '"ledger":0')),
  },
  {
    name: 'an outcome that there is not',
    tamper: ({ outcome }, { outcomes }) => outcomes.splice(outcomes.indexOf(outcome), 1),
  },
  {
    name: 'an outcome that an endpoint with the choice was not told',
    tamper: ({ delivery }, { deliveries }) => deliveries.splice(deliveries.indexOf(delivery), 1),
  },
  {
    name: 'an outcome that was told to an endpoint without the choice',
    tamper: ({ endpoint }) => (endpoint.events = ['deposit.created']),
  },
  {
    name: 'an outcome that another wallet was told',
    tamper: ({ event }) => (event.wallet_id = 'wal_other'),
  },
];

export const NAMES = KINDS.map(({ name }) => name);

export function choiceTamperings<E extends Evidence>(evidence: E, isChosen?: Choice): Iterable<Tampering<E>> {
  const kinds = KINDS.map(({ name, tamper }) => ({
    name,
    tamper: ({ choices }: Evidence) => tamper(need(toldSurely(choices)), choices),
  }));
  return tamperingsOf(evidence, kinds, isChosen);
}
