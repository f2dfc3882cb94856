/**
 * A provider whose state is known: what /readyz says of it, and whether a call is worth while.
 *
 * | state       | becomes so                              | what a call does                                             |
 * |-------------|-----------------------------------------|--------------------------------------------------------------|
 * | reachable   | the known answer opens                  | asks the provider                                            |
 * | faulty      | a call fails, unless it was `refused`;  | fails at once, with the same error; after a pause, which     |
 * |             | the known answer does not open          | doubles, one call asks for the known answer first            |
 *
 * The known answer, which the database has, tells whether the provider has the key of this database. An alias of AWS KMS may be moved
 * to another key at any time, and a token may be replaced by another one with the same labels. Therefore:
 *
 * - no data key is given out unless the known answer has opened after it was made: no seed is sealed with another key;
 * - no refusal is believed unless the known answer has opened after it: else sound rows would be blocked.
 *
 * A call waits for its turn before it looks at the state. So the calls that wait while a provider hangs fail with the first ones.
 */
import { strict as assert } from 'node:assert';
import sodium from 'sodium-native';
import type { Clock } from '../../lib/clock.ts';
import { type KeyContext, type KeyProvider, KeyProviderError, type ProviderFault } from './key-provider.ts';
import { createTurns } from './turns.ts';

/** A data key that is of no use, wrapped; and what tells whether it was unwrapped to the same. */
export type KnownAnswer = { key_check: Buffer; wrapped: Buffer };

export type ProviderState = { ok: true } | { ok: false; fault: ProviderFault; message: string; since: Date };

export type WatchedProvider = Pick<
  KeyProvider,
  'kind' | 'key' | 'makeDataKey' | 'unwrapDataKey' | 'close'
> & {
  state(): ProviderState;
  /** Asks the provider, unless it has answered lately, or nothing is expected of it. Never rejects because of it. */
  check(): Promise<ProviderState>;
  /** Makes a known answer with this provider's key, for a database that has none. @throws KeyProviderError */
  makeKnownAnswer(): Promise<KnownAnswer>;
  /** Sets the known answer that the database has. Without it `makeDataKey` fails, and refusals are believed. */
  expect(known: KnownAnswer): void;
};

/** `outcome`: `ok` or the fault. */
export type CallReport = { operation: 'make' | 'unwrap'; outcome: 'ok' | ProviderFault; seconds: number };
type Watching = { clock: Clock; onCall(report: CallReport): void; onChange(state: ProviderState): void };

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;
/** A success as old as this says nothing of now. */
const FRESH_MS = 15_000;
const CHECK_BYTES = 32;
const KNOWN_CONTEXT: KeyContext = { id: 'known answer', public_key: Buffer.alloc(32) };

export function watchProvider(provider: KeyProvider, { clock, onCall, onChange }: Watching): WatchedProvider {
  let state: ProviderState = { ok: true };
  let known: KnownAnswer | null = null;
  let succeeded_ms = Number.NEGATIVE_INFINITY;
  let pause_ms = FIRST_PAUSE_MS;
  let again_ms = 0;
  const nowMs = () => clock.now().getTime();

  const isFresh = () => nowMs() >= succeeded_ms && nowMs() - succeeded_ms < FRESH_MS;

  /** Notes that the provider has the key of this database, or that there is no key to compare it with. */
  function succeeded(): void {
    pause_ms = FIRST_PAUSE_MS;
    if (state.ok) return;
    state = { ok: true };
    onChange(state);
  }

  function failed({ fault, message }: KeyProviderError): void {
    again_ms = nowMs() + pause_ms;
    pause_ms = Math.min(pause_ms * 2, LONGEST_PAUSE_MS);
    const isNew = state.ok || state.fault !== fault;
    state = { ok: false, fault, message, since: state.ok ? clock.now() : state.since };
    if (isNew) onChange(state);
  }

  /**
   * Fails with the last error while the provider is faulty. The first call after the pause asks for the known answer. The others
   * fail as before, until the known answer opens or another pause is over.
   * @throws KeyProviderError
   */
  async function refuseWhileFaulty(): Promise<void> {
    if (state.ok) return;
    const wait_ms = again_ms - nowMs();
    // A longer one comes from a clock that was set back.
    if (wait_ms > 0 && wait_ms <= LONGEST_PAUSE_MS) throw new KeyProviderError(state.fault, state.message);
    again_ms = nowMs() + pause_ms;
    if (known) await prove(known);
  }

  /** A call gets its turn before the look at the state: else each call that waits in the provider would find out by itself that it hangs. */
  const turns = createTurns(provider.parallel);
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    return turns(async () => {
      await refuseWhileFaulty();
      return work();
    });
  }

  async function ask<T>(operation: CallReport['operation'], call: () => Promise<T>): Promise<T> {
    const began_ms = nowMs();
    const report = (outcome: CallReport['outcome']) =>
      onCall({ operation, outcome, seconds: Math.max(0, nowMs() - began_ms) / 1000 });
    try {
      const result = await call();
      report('ok');
      succeeded_ms = nowMs();
      if (!known) succeeded();
      return result;
    } catch (error) {
      if (error instanceof KeyProviderError) {
        report(error.fault);
        if (error.fault !== 'refused') failed(error);
      }
      throw error;
    }
  }

  /** Returns when the known answer opens. @throws KeyProviderError `unusable` when it does not: the provider has another key */
  async function prove(answer: KnownAnswer): Promise<void> {
    if (await opens(answer)) return succeeded();
    const error = new KeyProviderError('unusable', 'it has another key than the one of this database');
    failed(error);
    throw error;
  }

  async function opens({ wrapped, key_check }: KnownAnswer): Promise<boolean> {
    try {
      return await ask('unwrap', () =>
        provider.unwrapDataKey(wrapped, KNOWN_CONTEXT, (data_key) => checkOf(data_key).equals(key_check)),
      );
    } catch (error) {
      if (isRefusal(error)) return false;
      throw error;
    }
  }

  return {
    kind: provider.kind,
    key: provider.key,
    state: () => state,
    async check() {
      if (!known || (state.ok && isFresh())) return state;
      const answer = known;
      try {
        await inTurn(() => prove(answer));
      } catch (error) {
        if (!(error instanceof KeyProviderError)) throw error; // ours: the loop logs it
      }
      return state;
    },
    makeKnownAnswer: () =>
      inTurn(() =>
        ask('make', () =>
          provider.makeDataKey(KNOWN_CONTEXT, (data_key, wrapped) => ({
            key_check: checkOf(data_key),
            wrapped,
          })),
        ),
      ),
    expect(answer) {
      known = answer;
    },
    makeDataKey: (context, use) =>
      inTurn(async () => {
        assert(known, 'the provider is not bound to this database');
        const made = await ask('make', () => provider.makeDataKey(context, use));
        await prove(known);
        return made;
      }),
    unwrapDataKey: (wrapped, context, use) =>
      inTurn(async () => {
        try {
          return await ask('unwrap', () => provider.unwrapDataKey(wrapped, context, use));
        } catch (error) {
          if (isRefusal(error) && known) await prove(known);
          throw error;
        }
      }),
    close: () => provider.close(),
  };
}

function isRefusal(error: unknown): boolean {
  return error instanceof KeyProviderError && error.fault === 'refused';
}

/** Returns 32 bytes that tell the data key from others, and reveal nothing of it. */
function checkOf(data_key: Buffer): Buffer {
  const check = Buffer.alloc(CHECK_BYTES);
  sodium.crypto_generichash(check, data_key, Buffer.from('stellar-teller provider check'));
  return check;
}
