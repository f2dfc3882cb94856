import type { Behaviour, Ending, Incident } from '../behaviour.ts';
import { isStream } from '../request-kind.ts';
import { submitUnanswered } from './submission.ts';

const SILENCE = { wire: 'silence' } as const;

/** The request is accepted, and nothing comes back until the client gives up. */
export function noAnswer(effect: 'before' | 'never'): Behaviour {
  if (effect === 'never') return { final: true, on: () => true, before: () => SILENCE };
  return { ...onceInEffect(() => SILENCE), final: true };
}

/** The request takes effect, and then the connection breaks. */
export function answerLost(): Behaviour {
  return { ...onceInEffect(() => ({ wire: 'reset' })), final: true };
}

/** The answer is late. The request takes effect before or after the delay. */
export function delay(delay_ms: number, effect: 'before' | 'after'): Behaviour {
  const wait = ({ clock, stopping }: Incident) => clock.sleep(delay_ms, stopping);
  if (effect === 'after') {
    return { final: false, on: () => true, before: (incident) => wait(incident).then(() => null) };
  }
  return {
    final: false,
    on: (kind) => !isStream(kind),
    after: (incident, body) => wait(incident).then(() => body),
  };
}

/**
 * Sends half of the answer. If the full length was announced, the connection ends too early, as when a proxy dies.
 * If half the length was announced, the answer is valid HTTP with broken JSON.
 */
export function truncated(contentLength: 'full' | 'half'): Behaviour {
  return {
    final: false,
    on: (kind) => !isStream(kind),
    after: (_incident, body) => {
      const half = Buffer.from(body).subarray(0, Math.floor(Buffer.byteLength(body) / 2));
      return contentLength === 'full' ? { cut: body } : half.toString();
    },
  };
}

/**
 * An ending that comes when the request has taken effect. Horizon's POST /transactions answers several ledgers
 * later; here the ending comes as soon as the transaction is handed to the network.
 */
export function onceInEffect(
  end: (incident: Incident) => Ending,
): Pick<Behaviour, 'on' | 'before' | 'after'> {
  return {
    on: (kind) => !isStream(kind),
    before: (incident) => {
      if (incident.kind !== 'horizon:submit') return null;
      submitUnanswered(incident);
      return end(incident);
    },
    after: end,
  };
}
