/**
 * Data keys wrapped by an AES key of a PKCS#11 token (AES-GCM, the context as additional data). The vendor's module is in a
 * process of its own (pkcs11-process.ts), which this file starts when it is needed, and ends when it does not answer.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { extname, join } from 'node:path';
import { createReader, frame, joinParts, splitParts } from './frames.ts';
import { type KeyContext, type KeyProvider, KeyProviderError, type ProviderFault } from './key-provider.ts';
import {
  ANSWERED,
  FAULTS,
  MAKE,
  type Pkcs11Settings,
  SESSIONS,
  UNWRAP,
  VERSION,
  WRAPPED_BYTES,
} from './pkcs11-messages.ts';
import { createTurns } from './turns.ts';

/** Long enough for the start of the process, finding the token and logging in. */
const CALL_MS = 5_000;
/** The process beside this file, compiled or not. */
const PROGRAM = join(import.meta.dirname, `pkcs11-process${extname(import.meta.filename)}`);

/** No debugger: data keys pass through that process. */
const FLAGS = ['--disable-sigusr1', '--disable-warning=ExperimentalWarning'];

type Pending = { use: (bytes: Buffer) => void; reject: (error: Error) => void };
type Helper = { child: ChildProcess; pending: Map<number, Pending>; end(reason: string): void };

/** After such an answer the process ends by itself; the next call needs a new one. */
const ENDS = new Set<ProviderFault>(['away', 'unusable']);
const LATE = 'it does not answer in time';

export function openPkcs11(settings: Pkcs11Settings, call_ms = CALL_MS): KeyProvider {
  const inTurn = createTurns(SESSIONS);
  let helper: Helper | null = null;
  /** A PIN that was refused is not tried again: tokens count wrong ones, and lock. */
  let refused: KeyProviderError | null = null;
  let calls = 0;

  function start(): Helper {
    const child = spawn(process.execPath, [...FLAGS, PROGRAM, JSON.stringify(settings)], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: environmentOfModule(),
    });
    const pending: Helper['pending'] = new Map();
    const end = (reason: string) => {
      if (helper === started) helper = null;
      for (const { reject } of pending.values()) reject(new KeyProviderError('away', reason));
      pending.clear();
      child.kill('SIGKILL'); // a call into the module cannot be ended in another way
    };
    const started: Helper = { child, pending, end };
    const take = createReader(({ call, kind, bytes }) => {
      const asked = pending.get(call);
      pending.delete(call);
      if (kind === ANSWERED) return asked?.use(bytes);
      const error = new KeyProviderError(FAULTS[kind] ?? 'away', bytes.toString());
      if (error.fault === 'denied') refused = error;
      if (ENDS.has(error.fault) && helper === started) helper = null;
      asked?.reject(error);
    });
    child.stdout?.on('data', (chunk: Buffer) => {
      try {
        take(chunk);
      } catch (error) {
        end((error as Error).message);
      }
    });
    child.stdin?.on('error', () => end('its process has ended')); // this event comes before the exit
    child.on('error', (error) => end(error.message));
    // Not "exit": the last answer may still be in the pipe then.
    child.on('close', (code, signal) => end(`its process has ended (${signal ?? code})`));
    return started;
  }

  function ask<T>(kind: number, bytes: Buffer, use: (answer: Buffer) => T): Promise<T> {
    return inTurn(() => {
      if (refused) throw refused;
      helper ??= start();
      const { child, pending, end } = helper;
      const call = ++calls % 2 ** 32;
      return new Promise<T>((resolve, reject) => {
        const late = setTimeout(() => end(LATE), call_ms);
        const finish = (work: () => void) => {
          clearTimeout(late);
          try {
            work();
          } catch (error) {
            reject(error);
          }
        };
        pending.set(call, {
          use: (answer) => finish(() => resolve(use(answer))),
          reject: (error) => finish(() => reject(error)),
        });
        child.stdin?.write(frame({ call, kind, bytes }));
      });
    });
  }

  /**
   * Asks the process, and once more with a new process when the first one answers `away` or has ended: the token may have been
   * taken out and put back in since the last call. A call that was not answered in time is not repeated.
   */
  async function call<T>(kind: number, bytes: Buffer, use: (answer: Buffer) => T): Promise<T> {
    try {
      return await ask(kind, bytes, use);
    } catch (error) {
      const isLost = error instanceof KeyProviderError && error.fault === 'away' && error.message !== LATE;
      if (!isLost) throw error;
      return ask(kind, bytes, use);
    }
  }

  return {
    kind: 'pkcs11',
    key: `${settings.key_label} on the token ${settings.token_label}`,
    parallel: SESSIONS,
    makeDataKey: (context, use) =>
      call(MAKE, joinParts(contextOf(context), Buffer.alloc(0)), (bytes) => {
        const [data_key, wrapped] = splitParts(bytes);
        return use(data_key, Buffer.from(wrapped));
      }),
    async unwrapDataKey(wrapped, context, use) {
      if (wrapped.length !== WRAPPED_BYTES || wrapped[0] !== VERSION)
        throw new KeyProviderError('refused', 'no token has wrapped these bytes');
      return call(UNWRAP, joinParts(contextOf(context), wrapped), use);
    },
    async close() {
      if (!helper) return;
      const { child, end } = helper;
      const ended = new Promise((resolve) => child.once('close', resolve));
      end('the service stops');
      await ended;
    },
  };
}

/** Variables of the service that are or name secrets, and those of AWS and PostgreSQL. A vendor's library reads its own ones. */
const WITHHELD =
  /^(AWS_|PG|MASTER_KEY|(MIGRATION_)?DATABASE_URL|ADMIN_|PASSWORD|API_KEY|SMTP_URL|JWT_|TREASURY_|KEY_JOURNAL|OTEL_)/;

function environmentOfModule(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !WITHHELD.test(name)));
}

function contextOf({ id, public_key }: KeyContext): Buffer {
  return Buffer.concat([Buffer.from(`stellar-teller data key ${id} `), public_key]);
}
