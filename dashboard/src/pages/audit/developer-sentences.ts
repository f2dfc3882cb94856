/** Pure: what the audit log tells of API keys, webhook endpoints and deliveries. */
import { changesOf } from './facts.ts';
import {
  countOf,
  inWallet,
  type Piece,
  type Sentence,
  say,
  type Thing,
  type Told,
  textOf,
  walletOf,
} from './told.ts';

export const DEVELOPERS = {
  'api_key.regenerated': (told) =>
    say`replaced the ${apiKeyNamed(told, 'main API key')} of ${walletOf(told)}`,
  'api_key.created': (told) => say`made ${keyOf(told)}`,
  'api_key.deleted': (told) => say`deleted ${keyOf(told)}`,
  'endpoint.registered': (told) => say`registered ${endpointOf(told)}`,
  'endpoint.changed': (told) => endpointChanged(told),
  'endpoint.deleted': (told) => say`deleted ${endpointOf(told)}`,
  'endpoint.secret_rotated': (told) => say`replaced the signing secret of ${endpointOf(told)}`,
  'endpoint.tested': (told) => {
    const type = textOf(told.after.type);
    return say`sent a test event${type === undefined ? '' : ` (${type})`} to ${endpointOf(told)}`;
  },
  'endpoint.examined': (told) => say`examined ${endpointOf(told)}`,
  'delivery.repeated': (told) => say`sent a delivery of ${endpointOf(told, told.after.endpoint_id)} again`,
  'deliveries.replayed': (told) =>
    say`sent ${countOf(told.after.deliveries, 'delivery', 'deliveries')} of ${endpointOf(told)} again`,
} satisfies Record<string, Sentence>;

/** `the API key Backend of the wallet Main`. */
function keyOf(told: Told): Piece[] {
  const name =
    textOf(told.after.name) ?? textOf(told.before.name) ?? told.entry.target.id ?? 'without a name';
  return say`the API key ${apiKeyNamed(told, name)} of ${walletOf(told)}`;
}

/** The name leads to the keys of the wallet. */
function apiKeyNamed(told: Told, text: string): Thing {
  return { ...inWallet(told, text, 'developers'), tab: 'keys' };
}

/** The endpoint by its URL, as the entry shows it, or else by its id. */
function endpointOf(told: Told, id: unknown = told.entry.target.id): Piece[] {
  const url = textOf(told.before.url) ?? textOf(told.after.url);
  const called = typeof id === 'string' && id !== '' ? id : 'of an unknown id';
  const page = inWallet(told, url ?? called, 'developers/webhooks', id);
  return say`the webhook endpoint ${{ ...page, long: url === undefined }} of ${walletOf(told)}`;
}

function endpointChanged(told: Told): Piece[] {
  const why = textOf(told.after.disabled_reason);
  return why === undefined
    ? say`changed ${endpointOf(told)}${changesOf(told)}`
    : say`disabled ${endpointOf(told)}: ${why}`;
}
