import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { Metrics } from '../../lib/metrics.ts';
import { createNews } from '../../lib/news.ts';
import { createRepeats } from '../../lib/repeats.ts';
import { NoAnswer, UnusableAnswer } from '../answers/answers.ts';
import type { Identity, Source } from '../answers/source.ts';
import type { NetworkUnavailable } from '../network-unavailable.ts';
import type { Protocols, SourceDescription, SourceReport } from '../stellar.ts';
import { CoreBusy } from './rpc-client.ts';
import { createSourceReports } from './source-reports.ts';
import { detailOf, type Failure, unavailable } from './unavailable.ts';

/**
 * An answer of one source. `rank`: the answer with the highest rank wins. `doubtful`: another source may know more,
 * because this one is stale, lags, or refused an envelope.
 */
export type Ranked<T> = { answer: T; rank: number; doubtful: boolean };

export type Sources = {
  /**
   * Asks the source that gave the best answer last time. Asks the next one as long as there is no answer, or only a
   * doubtful one. One answer comes from one source. Asks all of them again, for some seconds, when none answers and the
   * stellar-core of one is busy. @throws NetworkUnavailable when no source answers.
   */
  ask<T>(question: Question<T>): Promise<T>;
  /** Asks as `ask` does, for reading ledgers: a source that cannot give them is reported as not usable until it can. */
  askLedgers<T>(question: Question<T>): Promise<T>;
  /** Asks every source. See createSourceReports. */
  reports(): Promise<SourceReport[]>;
};

type Question<T> = (source: Source, identity: Identity) => Promise<Ranked<T>>;
type Best<T> = Ranked<T> & { index: number };
/** Told of each answer of a source, and of each failure. */
type OnAnswer = (index: number, fault?: NoAnswer) => void;

/** A fault that lasts is logged again after this time. */
const REPEAT_MS = 300_000;
const PROTOCOL_FRESH_MS = 60_000;
/** Between two rounds while a stellar-core is busy, which mostly takes less than 80 ms. Callers wait for these six seconds. */
const BUSY_PAUSES_MS = [50, 100, 200, 400, 800, 1_600, 3_200];

/** Creates the servers of the network with this passphrase. A server of another network counts as one without an answer. */
export function createSources(
  sources: Source[],
  options: { passphrase: string; clock: Clock; log: Log; metrics: Pick<Metrics, 'unusable_answers'> },
): Sources {
  const { passphrase, clock, log, metrics } = options;
  const identities: (Identity | undefined)[] = [];
  /** Why the last reading of ledgers from a source failed. */
  const ledgerFaults: (NoAnswer | undefined)[] = [];
  const isNewsOf = sources.map(() => createNews(clock, REPEAT_MS));
  const repeats = createRepeats(clock);
  const networkProtocols: ({ protocol: number; at_ms: number } | undefined)[] = [];
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

  function count(error: NoAnswer, index: number): void {
    if (!(error instanceof UnusableAnswer)) return;
    metrics.unusable_answers.inc({ method: error.method });
    if (isNewsOf[index]?.(error.message))
      log.warn({ source: index + 1, reason: error.message }, 'an answer of the network is not usable');
  }

  async function ask<T>(question: Question<T>, onAnswer: OnAnswer = () => undefined): Promise<T> {
    for (const pauses_ms = [...BUSY_PAUSES_MS]; ; ) {
      const { best, failures } = await askInTurn(question, onAnswer);
      if (best) return prefer(best, failures);
      const pause_ms = failures.some(isBusy) ? pauses_ms.shift() : undefined;
      if (pause_ms === undefined) throw await noneOf(failures);
      await clock.sleep(pause_ms);
    }
  }

  async function askInTurn<T>(
    question: Question<T>,
    onAnswer: OnAnswer,
  ): Promise<{ best: Best<T> | null; failures: Failure[] }> {
    const failures: Failure[] = [];
    let best: Best<T> | null = null;
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
        count(error, index);
        failures.push({ source: index + 1, error });
      }
    }
    return { best, failures };
  }

  /** Prefers the source of the best answer. A source whose stellar-core is busy for a moment stays the preferred one: otherwise every ledger would change it. */
  function prefer<T>({ answer, index }: Best<T>, failures: Failure[]): T {
    const isPassing = failures.some((failure) => failure.source === preferred + 1 && isBusy(failure));
    if (index === preferred || isPassing) return answer;
    log.warn(
      { source: index + 1, failures: failures.map(detailOf) },
      'another source of the network gives a better answer; it is asked first from now on',
    );
    preferred = index;
    return answer;
  }

  async function noneOf(failures: Failure[]): Promise<NetworkUnavailable> {
    const unread = failures.filter(({ error }) => error instanceof UnusableAnswer);
    const protocols = await Promise.all(unread.map(({ source }) => networkProtocol(source - 1)));
    const error = unavailable(failures, protocols.length > 0 ? Math.max(...protocols) : null);
    const told = failures.map(detailOf);
    const times = repeats(error.message);
    if (times > 0)
      log.warn(
        { failures: told, reason: error.message, times },
        'no source of the network gives a usable answer',
      );
    return error;
  }

  /** Asks a source for the network's protocol; 0 without an answer. It asks rarely: a fault may last. */
  async function networkProtocol(index: number): Promise<number> {
    const now_ms = clock.now().getTime();
    const known = networkProtocols[index];
    if (known && Math.abs(now_ms - known.at_ms) < PROTOCOL_FRESH_MS) return known.protocol;
    const { network } = await protocolsOf(index);
    networkProtocols[index] = { protocol: network ?? 0, at_ms: now_ms };
    return network ?? 0;
  }

  async function protocolsOf(index: number): Promise<Protocols> {
    try {
      return await (sources[index] as Source).protocols();
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      return { network: null, supported: null };
    }
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
    reports: createSourceReports(sources.length, { describe, protocols: protocolsOf }, log),
  };
}

function isBusy({ error }: Failure): boolean {
  return error instanceof CoreBusy;
}
