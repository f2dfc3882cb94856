import { type Logger, pino, stdTimeFunctions } from 'pino';

export type Log = Logger;

/** Paths that may hold a secret in a logged object. Free text is not searched: never put a secret in a message. */
const SECRET_PATHS = [
  'password',
  'token',
  'api_key',
  'signing_secret',
  'authorization',
  'headers.authorization',
];

/** A log that writes JSON lines to stdout, or readable lines to a terminal. */
export function createLog(level: string, terminal: boolean): Log {
  const redact = { paths: SECRET_PATHS.flatMap((path) => [path, `*.${path}`]), censor: '[secret]' };
  if (!terminal) return pino({ level, redact, timestamp: stdTimeFunctions.isoTime });
  const pretty = { target: 'pino-pretty', options: { ignore: 'pid,hostname', translateTime: 'HH:MM:ss.l' } };
  return pino({ level, redact, transport: pretty });
}
