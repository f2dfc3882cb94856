import type { Agent } from 'undici';
import { z } from 'zod';
import { AppError } from '../errors.ts';
import type { Log } from '../lib/log.ts';
import { NoAnswer, RpcError, type RpcSource, rpcSource } from './rpc-source.ts';

/**
 * An answer, how far it reaches (the higher the better), and whether another source may well know more: this one
 * stands still, lags, or contradicts itself.
 */
export type Judged<T> = { answer: T; rank: number; doubtful: boolean };

export type IdentifiedSource = RpcSource & { friendbot_url: string | undefined };

export type Sources = {
  /**
   * Asks the source that answered best last, and goes on to the others while there is no answer, or a doubtful one.
   * Whatever makes up one answer comes from one source. @throws AppError `network_unavailable` when none answers.
   */
  ask<T>(question: (source: IdentifiedSource) => Promise<Judged<T>>): Promise<T>;
};

const Network = z.object({ passphrase: z.string(), friendbotUrl: z.string().optional() });

/** One or several Stellar RPC servers of the network with this passphrase. */
export function createSources(options: {
  urls: string[];
  passphrase: string;
  agent: Agent;
  log: Log;
}): Sources {
  const sources = options.urls.map((url) => identifiable(rpcSource(url, options.agent), options.passphrase));
  let preferred = 0;

  return {
    async ask<T>(question: (source: IdentifiedSource) => Promise<Judged<T>>): Promise<T> {
      const failures: string[] = [];
      let best: (Judged<T> & { index: number }) | null = null;
      for (let i = 0; i < sources.length; i++) {
        const index = (preferred + i) % sources.length;
        try {
          const identify = sources[index] as (typeof sources)[number];
          const judged = await question(await identify());
          if (!best || judged.rank > best.rank) best = { ...judged, index };
          if (!judged.doubtful) break;
        } catch (error) {
          if (!(error instanceof NoAnswer || error instanceof RpcError)) throw error;
          failures.push(`source ${index + 1}: ${error.message}`);
        }
      }
      if (!best) throw unavailable(options.log, failures);
      preferred = best.index;
      return best.answer;
    },
  };
}

/** The URL is not named: the address of a hosted node often holds its access key. */
function unavailable(log: Log, failures: string[]): AppError {
  log.warn({ failures }, 'no answer from the network');
  return new AppError('network_unavailable', 'The Stellar network cannot be reached; nothing was started.', {
    retry_after_seconds: 5,
    cause: new Error(failures.join('; ')),
  });
}

/** A source of another network must never be asked anything: its "absent" would be a lie about ours. */
function identifiable(source: RpcSource, passphrase: string): () => Promise<IdentifiedSource> {
  let identified: IdentifiedSource | null = null;
  return async () => {
    if (identified) return identified;
    const network = await source.call('getNetwork', undefined, Network);
    if (network.passphrase !== passphrase)
      throw new NoAnswer(`is on another network ("${network.passphrase}")`);
    identified = { ...source, friendbot_url: network.friendbotUrl };
    return identified;
  };
}
