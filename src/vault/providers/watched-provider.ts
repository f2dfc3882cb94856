/**
 * A provider whose state is known: what /readyz says of it, and whether a call is worth while.
 *
 * | state       | becomes so                              | what a call does                                             |
 * |-------------|-----------------------------------------|--------------------------------------------------------------|
 * | reachable   | a call succeeds                         | asks the provider                                            |
 * | faulty      | a call fails, unless it was `refused`   | fails at once, with the same error; after a pause, which     |
 * |             |                                         | doubles, one call asks the provider again                    |
 *
 * The key is proven before the first seed is sealed with it: it must open the known answer that the database has. So a
 * provider that was given another key later seals nothing.
 */
import { strict as assert } from 'node:assert';
import sodium from 'sodium-native';
import type { Clock } from '../../lib/clock.ts';
import { type KeyContext, type KeyProvider, KeyProviderError, type ProviderFault } from './key-provider.ts';

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
  /** A known answer of this provider's key, for a database that has none. @throws KeyProviderError */
  makeKnownAnswer(): Promise<KnownAnswer>;
  /** What the database has. Without it nothing is made. */
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
  let proven = false;
  let succeeded_ms = Number.NEGATIVE_INFINITY;
  let pause_ms = FIRST_PAUSE_MS;
  let again_ms = 0;
  const nowMs = () => clock.now().getTime();

  function succeeded(): void {
    succeeded_ms = nowMs();
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

  /** The first who comes after the pause asks; until it has its answer, the others fail as before. */
  function refuseWhileFaulty(): void {
    if (state.ok) return;
    if (nowMs() < again_ms) throw new KeyProviderError(state.fault, state.message);
    again_ms = nowMs() + pause_ms;
  }

  async function watched<T>(operation: CallReport['operation'], call: () => Promise<T>): Promise<T> {
    refuseWhileFaulty();
    const began_ms = nowMs();
    const report = (outcome: CallReport['outcome']) =>
      onCall({ operation, outcome, seconds: Math.max(0, nowMs() - began_ms) / 1000 });
    try {
      const result = await call();
      report('ok');
      succeeded();
      return result;
    } catch (error) {
      if (error instanceof KeyProviderError) {
        report(error.fault);
        // It has answered, about these bytes.
        if (error.fault === 'refused') succeeded();
        else failed(error);
      }
      throw error;
    }
  }

  async function prove(): Promise<void> {
    if (proven) return;
    assert(known, 'the provider is not bound to this database');
    const { key_check, wrapped } = known;
    const isSame = await unwrapKnown(wrapped, key_check);
    if (!isSame) {
      const error = new KeyProviderError('unusable', 'it has another key than the one of this database');
      failed(error);
      throw error;
    }
    proven = true;
  }

  async function unwrapKnown(wrapped: Buffer, key_check: Buffer): Promise<boolean> {
    try {
      return await watched('unwrap', () =>
        provider.unwrapDataKey(wrapped, KNOWN_CONTEXT, (data_key) => checkOf(data_key).equals(key_check)),
      );
    } catch (error) {
      if (error instanceof KeyProviderError && error.fault === 'refused') return false;
      throw error;
    }
  }

  return {
    kind: provider.kind,
    key: provider.key,
    state: () => state,
    async check() {
      if (!known || (state.ok && nowMs() - succeeded_ms < FRESH_MS)) return state;
      try {
        proven = false;
        await prove();
      } catch (error) {
        if (!(error instanceof KeyProviderError)) throw error; // ours: the loop logs it
      }
      return state;
    },
    makeKnownAnswer: () =>
      watched('make', () =>
        provider.makeDataKey(KNOWN_CONTEXT, (data_key, wrapped) => ({
          key_check: checkOf(data_key),
          wrapped,
        })),
      ),
    expect(answer) {
      if (known?.key_check.equals(answer.key_check)) return;
      known = answer;
      proven = false;
    },
    async makeDataKey(context, use) {
      await prove();
      return watched('make', () => provider.makeDataKey(context, use));
    },
    unwrapDataKey: (wrapped, context, use) =>
      watched('unwrap', () => provider.unwrapDataKey(wrapped, context, use)),
    close: () => provider.close(),
  };
}

/** 32 bytes that tell the data key from others, and reveal nothing of it. */
function checkOf(data_key: Buffer): Buffer {
  const check = Buffer.alloc(CHECK_BYTES);
  sodium.crypto_generichash(check, data_key, Buffer.from('stellar-teller provider check'));
  return check;
}
