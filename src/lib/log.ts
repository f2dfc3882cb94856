import { type Logger, pino, stdTimeFunctions } from 'pino';
import { logContext } from './log-context.ts';
import { openLogOutput } from './log-output.ts';

export type Log = Logger;

/** Fields of logged objects that may hold a secret. Messages are not searched: never put a secret into a message. */
const SECRET_PATHS = [
  'password',
  'token',
  'api_key',
  'signing_secret',
  'client_secret',
  'access_token',
  'authorization',
  'headers.authorization',
];

/** Writes JSON lines to stdout, with the ids of the running request; lines for people when stdout is a terminal. */
export function createLog(level: string, terminal: boolean): Log {
  const redact = { paths: SECRET_PATHS.flatMap((path) => [path, `*.${path}`]), censor: '[secret]' };
  const mixin = () => ({ ...logContext() }); // a copy: pino adds the fields of the line to it
  if (!terminal) {
    const output = openLogOutput((lines) => log.warn({ lines }, LOST));
    const log: Log = pino({ level, redact, mixin, timestamp: stdTimeFunctions.isoTime }, output);
    return log;
  }
  const pretty = { target: 'pino-pretty', options: { ignore: 'pid,hostname', translateTime: 'HH:MM:ss.l' } };
  return pino({ level, redact, mixin, transport: pretty });
}

const LOST = 'Lines of the log are lost: for some time nobody has read standard output.';
