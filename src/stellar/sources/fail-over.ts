import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { Metrics } from '../../lib/metrics.ts';
import { createNews } from '../../lib/news.ts';
import { NetworkUnavailable } from '../network-unavailable.ts';
import type { SourceDescription, SourceReport } from '../stellar.ts';
import { NoAnswer, UnusableAnswer } from './answers.ts';
import type { Identity, Source } from './source.ts';
import { createSourceReports } from './source-reports.ts';

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
  ask<T>(question: Question<T>): Promise<T>;
  /** Like `ask`, for reading ledgers: a source that cannot give them is reported as not usable until it can. */
  askLedgers<T>(question: Question<T>): Promise<T>;
  /** Asks every source. See createSourceReports. */
  reports(): Promise<SourceReport[]>;
};

type Question<T> = (source: Source, identity: Identity) => Promise<Ranked<T>>;

/** A fault that lasts is logged again after this time. */
const REPEAT_MS = 300_000;

/** Servers of the network with this passphrase. A server of another network counts as one without an answer. */
export function createSources(
  sources: Source[],
  options: { passphrase: string; clock: Clock; log: Log; metrics: Pick<Metrics, 'unusable_answers'> },
): Sources {
  const { passphrase, clock, log, metrics } = options;
  const identities: (Identity | undefined)[] = [];
  /** Why the last reading of ledgers from a source failed. */
  const ledgerFaults: (NoAnswer | undefined)[] = [];
  const isNewsOf = sources.map(() => createNews(clock, REPEAT_MS));
  const isNews = createNews(clock, REPEAT_MS);
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

  function reasonOf(error: NoAnswer, index: number): string {
    if (error instanceof UnusableAnswer) {
      metrics.unusable_answers.inc({ method: error.method });
      if (isNewsOf[index]?.(error.message))
        log.warn({ source: index + 1, reason: error.message }, 'an answer of the network is not usable');
    }
    return error.message;
  }

  async function ask<T>(
    question: Question<T>,
    onAnswer: (index: number, fault?: NoAnswer) => void = () => undefined,
  ): Promise<T> {
    const failures: string[] = [];
    let best: (Ranked<T> & { index: number }) | null = null;
    for (let i = 0; i < sources.length; i++) {
      const index = (preferred + i) % sources.length;
      const source = sources[index] as Source;
      try {
        const ranked = await question(source, await identify(index, source));
        onAnswer(index);
        if (!best || ranked.rank > best.rank) best = { ...ranked, index };
        if (!ranked.doubtful) break;
      } catch (error) {
        if (!(error instanceof NoAnswer)) throw error;
        onAnswer(index, error);
        failures.push(`source ${index + 1}: ${reasonOf(error, index)}`);
      }
    }
    if (!best) throw unavailable(failures);
    if (best.index !== preferred)
      log.warn(
        { source: best.index + 1, failures },
        'another source of the network gives a better answer; it is asked first from now on',
      );
    preferred = best.index;
    return best.answer;
  }

  function unavailable(failures: string[]): NetworkUnavailable {
    if (isNews(failures.join('; '))) log.warn({ failures }, 'no source of the network gives a usable answer');
    return unreachable(failures);
  }

  async function describe(index: number): Promise<SourceDescription> {
    const source = sources[index] as Source;
    await identify(index, source);
    const description = await source.describe();
    const fault = ledgerFaults[index];
    if (fault) throw fault;
    return description;
  }

  return {
    ask: (question) => ask(question),
    askLedgers: (question) =>
      ask(question, (index, fault) => {
        ledgerFaults[index] = fault;
      }),
    reports: createSourceReports(sources.length, describe, log),
  };
}

/** No URL is named: the address of a hosted node often holds its access key. */
function unreachable(failures: string[]): NetworkUnavailable {
  return new NetworkUnavailable('The Stellar network cannot be reached; nothing was started.', {
    retry_after_seconds: 5,
    cause: new Error(failures.join('; ')),
  });
}
