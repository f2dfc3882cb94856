import { pino, stdTimeFunctions } from 'pino';

/** Where the sandbox writes events and errors: a pino logger, or any other with these functions. */
export type Log = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

/** JSON lines on stdout; readable lines on a terminal. `level` is a level of pino. */
export function createLog(level: string, terminal: boolean): Log {
  if (!terminal) return pino({ level, timestamp: stdTimeFunctions.isoTime });
  const options = { ignore: 'pid,hostname', translateTime: 'HH:MM:ss.l' };
  return pino({ level, transport: { target: 'pino-pretty', options } });
}
