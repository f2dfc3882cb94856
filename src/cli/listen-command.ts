/** `teller listen`: a wallet's webhooks on a developer's machine. It needs the API of a service and nothing else. */
import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import { isHttpUrl, readClientConfig } from '../config.ts';
import { OperatorError } from '../errors.ts';
import { systemClock } from '../lib/clock.ts';
import { isSigningSecret, newSigningSecret } from '../outgoing/sign.ts';
import { continueAfter, forwardEvents } from '../webhooks/events/forward-events.ts';

type Options = { forwardTo: string; wallet: string; after?: number; secretFile?: string };

export function listenCommand(program: Command): void {
  program
    .command('listen')
    .description(
      'forward the events of a wallet to a receiver on this machine, signed like webhooks; needs the API key in API_KEY ' +
        'or API_KEY_FILE; the service is at API_URL (default: http://127.0.0.1:PORT)',
    )
    .requiredOption('--forward-to <url>', 'URL of the receiver, like http://localhost:4000/hook', httpUrl)
    .requiredOption('--wallet <id>', 'id of the wallet of the API key, wal_…')
    .option(
      '--after <number>',
      'begin after the event with this number; 0: begin with the first event (default: the next event)',
      count,
    )
    .option('--secret-file <path>', 'file with the signing secret (default: a new secret, which is shown)')
    .action(async ({ forwardTo: forward_to, wallet: wallet_id, after, secretFile }: Options) => {
      const config = readClientConfig(process.env);
      const signing_secret = secretFile === undefined ? newSigningSecret() : readSecret(secretFile);
      const stopping = new AbortController();
      for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stopping.abort());
      if (secretFile === undefined) say(`Signing secret of this session: ${signing_secret}`);
      say(`Forwarding the events of ${wallet_id} to ${forward_to}`);
      const last = await forwardEvents(
        { ...config, wallet_id, forward_to, signing_secret, after: after ?? 'latest' },
        { clock: systemClock, say, signal: stopping.signal },
      );
      if (last !== 'latest') say(`Stopped. ${continueAfter(last)}`);
    });
}

function readSecret(path: string): string {
  const text = read(path).trim();
  if (isSigningSecret(text)) return text;
  throw new OperatorError(`${path} does not hold a signing secret (whsec_ and 32 bytes in base64).`);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new OperatorError(`Cannot read the file with the signing secret: ${(error as Error).message}`);
  }
}

function httpUrl(text: string): string {
  if (isHttpUrl(text)) return text;
  throw new InvalidArgumentError('It must be an http(s) URL.');
}

function count(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a number.');
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
