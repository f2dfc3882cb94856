import type { Log } from '../../lib/log.ts';
import type { Metrics } from '../../lib/metrics.ts';
import { NetworkUnavailable } from '../network-unavailable.ts';
import { NoAnswer, UnusableAnswer } from './answers.ts';
import type { Identity, Source } from './source.ts';

/**
 * An answer of one source. `rank`: the answer with the highest rank wins. `doubtful`: another source may know more,
 * because this one is stale, lags, or refused an envelope.
 */
export type Ranked<T> = { answer: T; rank: number; doubtful: boolean };

export type Sources = {
  /**
   * Asks the source that gave the best answer last time. Asks the next one as long as there is no answer, or only a
   * doubtful one. One answer comes from one source. @throws NetworkUnavailable when no source answers.
   */
  ask<T>(question: (source: Source, identity: Identity) => Promise<Ranked<T>>): Promise<T>;
};

/** Servers of the network with this passphrase. A server of another network counts as one without an answer. */
export function createSources(
  sources: Source[],
  options: { passphrase: string; log: Log; metrics: Pick<Metrics, 'unusable_answers'> },
): Sources {
  const { passphrase, log, metrics } = options;
  const identities: (Identity | undefined)[] = [];
  let preferred = 0;

  async function identify(index: number, source: Source): Promise<Identity> {
    const known = identities[index];
    if (known) return known;
    const identity = await source.identify();
    if (identity.passphrase !== passphrase)
      throw new NoAnswer(`is on another network ("${identity.passphrase}")`);
    identities[index] = identity;
    return identity;
  }

  function reasonOf(error: unknown, index: number): string {
    if (!(error instanceof NoAnswer)) throw error;
    if (error instanceof UnusableAnswer) {
      metrics.unusable_answers.inc({ method: error.method });
      log.warn({ source: index + 1, reason: error.message }, 'an answer of the network is not usable');
    }
    return error.message;
  }

  return {
    async ask<T>(question: (source: Source, identity: Identity) => Promise<Ranked<T>>): Promise<T> {
      const failures: string[] = [];
      let best: (Ranked<T> & { index: number }) | null = null;
      for (let i = 0; i < sources.length; i++) {
        const index = (preferred + i) % sources.length;
        const source = sources[index] as Source;
        try {
          const ranked = await question(source, await identify(index, source));
          if (!best || ranked.rank > best.rank) best = { ...ranked, index };
          if (!ranked.doubtful) break;
        } catch (error) {
          failures.push(`source ${index + 1}: ${reasonOf(error, index)}`);
        }
      }
      if (!best) throw unavailable(log, failures);
      if (best.index !== preferred)
        log.warn(
          { source: best.index + 1, failures },
          'another source of the network gives a better answer; it is asked first from now on',
        );
      preferred = best.index;
      return best.answer;
    },
  };
}

/** No URL is named: the address of a hosted node often holds its access key. */
function unavailable(log: Log, failures: string[]): NetworkUnavailable {
  log.warn({ failures }, 'no source of the network gives a usable answer');
  return new NetworkUnavailable('The Stellar network cannot be reached; nothing was started.', {
    retry_after_seconds: 5,
    cause: new Error(failures.join('; ')),
  });
}
