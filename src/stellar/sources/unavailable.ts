/** Says why no source has given an answer that can be used. "No source answered" only where nothing answered. */

import { type NoAnswer, NotReached } from '../answers/answers.ts';
import { NetworkUnavailable } from '../network-unavailable.ts';
import { KNOWN_PROTOCOL, networkIsAhead } from '../protocol/known-protocol.ts';

/** `source`: its place in the configuration, from 1 on. */
export type Failure = { source: number; error: NoAnswer };

const MAX_DETAIL = 300;

/** Makes the error. `network_protocol`: the highest that a source names, null without one. It is asked for only where an answer could not be read. */
export function unavailable(failures: Failure[], network_protocol: number | null): NetworkUnavailable {
  const protocol_ahead =
    network_protocol !== null && network_protocol > KNOWN_PROTOCOL ? network_protocol : null;
  const cause = new Error(failures.map(detailOf).join('; '));
  const more = { retry_after_seconds: 5, protocol_ahead, is_told: true, cause };
  return new NetworkUnavailable(sentence(failures, protocol_ahead), more);
}

export function detailOf({ source, error }: Failure): string {
  return `source ${source}: ${oneLine(error.message)}`;
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, MAX_DETAIL);
}

/** Writes a sentence without a source and an address: the sentence reaches callers of the API. */
function sentence(failures: Failure[], protocol_ahead: number | null): string {
  const silent = failures.filter(({ error }) => error instanceof NotReached).length;
  if (silent === failures.length) return 'No Stellar source answered; nothing was started.';
  if (protocol_ahead !== null) return `${networkIsAhead(protocol_ahead)} Nothing was started.`;
  if (silent > 0)
    return 'Not every Stellar source answered, and no answer could be used; nothing was started.';
  return failures.length === 1
    ? 'The Stellar source answered, but its answer could not be used; nothing was started.'
    : 'The Stellar sources answered, but their answers could not be used; nothing was started.';
}
