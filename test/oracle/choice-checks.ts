/**
 * Pure: what contradicts "each endpoint with the choice gets one true event of each outcome of a withdrawal", in words. Choices do not change
 * during a run.
 */

/** A withdrawal with its outcome. `at`: the place where that was recorded; null when nobody noted it. */
export type OutcomeRow = {
  id: string;
  wallet_id: string;
  status: 'confirmed' | 'failed';
  destination: string;
  amount_stroops: bigint;
  stellar_tx_hash: string | null;
  ledger: number | null;
  fee_stroops: bigint | null;
  failure_code: string | null;
  at: number | null;
};

export type ChoosingEndpoint = {
  id: string;
  wallet_id: string;
  events: string[];
  at: number;
  gone_at: number | null;
};

export type ToldEvent = { id: string; wallet_id: string; type: string; body: string; at: number };

/** Places are those of audit.ts. `events`: those of outcomes. */
export type ChoiceEvidence = {
  outcomes: OutcomeRow[];
  events: ToldEvent[];
  endpoints: ChoosingEndpoint[];
  deliveries: { event_id: string; endpoint_id: string }[];
};

/**
 * A place is noted at the statement, not at the commit: what was noted so shortly before may not have been visible, and what was
 * noted so shortly after may have been.
 */
const CLOSE = 30;

export function choiceViolations({ outcomes, events, endpoints, deliveries }: ChoiceEvidence): string[] {
  const told = Map.groupBy(events, ({ type, body }) => `${type} ${subjectOf(body)}`);
  const endpointsOf = Map.groupBy(endpoints, ({ wallet_id }) => wallet_id);
  const receiversOf = Map.groupBy(deliveries, ({ event_id }) => event_id);
  const violations = outcomes.flatMap((row) => {
    const name = `withdrawal.${row.status} ${row.id}`;
    const own = told.get(name) ?? [];
    told.delete(name);
    const chosen = choosing(endpointsOf.get(row.wallet_id) ?? [], `withdrawal.${row.status}`);
    if (own.length === 0)
      return chosen.some((endpoint) => isSurelyThere(endpoint, row.at)) ? [`${name} was told to nobody`] : [];
    if (own.length > 1) return [`${name} was told ${own.length} times`];
    return own.flatMap((event) => [
      ...(event.wallet_id === row.wallet_id ? [] : [`${name} is an event of wallet ${event.wallet_id}`]),
      ...fieldsOf(row)
        .filter((field) => !event.body.includes(field))
        .map((field) => `${name} does not say ${field}: ${event.body}`),
      ...receiverViolations(name, event, chosen, receiversOf.get(event.id) ?? []),
    ]);
  });
  return [...violations, ...[...told.keys()].map((name) => `${name} was told, and there is no such outcome`)];
}

export function receiverViolations(
  name: string,
  { at }: ToldEvent,
  chosen: ChoosingEndpoint[],
  receivers: { endpoint_id: string }[],
): string[] {
  const ids = receivers.map(({ endpoint_id }) => endpoint_id);
  const possible = new Set(chosen.filter((each) => each.at < at).map(({ id }) => id));
  const missing = chosen.filter((each) => isSurelyThere(each, at) && !ids.includes(each.id));
  return [
    ...(new Set(ids).size === ids.length ? [] : [`${name} has two deliveries to one endpoint`]),
    ...ids.filter((id) => !possible.has(id)).map((id) => `${name} goes to ${id}, which has not chosen it`),
    ...missing.map(({ id }) => `${name} does not go to ${id}, which has chosen it`),
  ];
}

export function choosing(endpoints: ChoosingEndpoint[], type: string): ChoosingEndpoint[] {
  return endpoints.filter(({ events }) => events.includes(type));
}

export function isSurelyThere({ at, gone_at }: ChoosingEndpoint, place: number | null): boolean {
  return place !== null && at < place - CLOSE && (gone_at === null || gone_at > place + CLOSE);
}

function subjectOf(body: string): string {
  return /^\{"event":"[a-z._]+","data":\{"id":"(\w+)"/.exec(body)?.[1] ?? `nothing: ${body.slice(0, 80)}`;
}

/** Returns the fields as the bytes of the event have them. */
function fieldsOf(row: OutcomeRow): string[] {
  return [
    `{"event":"withdrawal.${row.status}"`,
    `"status":"${row.status}"`,
    `"destination":"${row.destination}"`,
    `"amount_stroops":${row.amount_stroops}`,
    `"stellar_tx_hash":${JSON.stringify(row.stellar_tx_hash)}`,
    `"ledger":${row.ledger}`,
    `"fee_stroops":${row.fee_stroops}`,
    row.failure_code === null ? '"failure":null' : `"failure":{"code":"${row.failure_code}"`,
  ];
}
