/** `teller listen`: a wallet's webhooks on a developer's machine. Needs a service somewhere, and nothing of it here. */
import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import { isHttpUrl, readClientConfig } from '../config.ts';
import { OperatorError } from '../errors.ts';
import { systemClock } from '../lib/clock.ts';
import { isSigningSecret, newSigningSecret } from '../webhooks/delivery/sign.ts';
import { continueAfter, forwardEvents } from '../webhooks/events/forward-events.ts';

type Options = { forwardTo: string; wallet: string; after?: number; secretFile?: string };

export function listenCommand(program: Command): void {
  program
    .command('listen')
    .description(
      'forward a wallet’s events to a receiver on this machine, signed as webhooks are; the API key is read from ' +
        'API_KEY or API_KEY_FILE, the service’s address from API_URL (else http://127.0.0.1:PORT)',
    )
    .requiredOption('--forward-to <url>', 'where to post them, like http://localhost:4000/hook', httpUrl)
    .requiredOption('--wallet <id>', 'wal_…, the API key’s wallet')
    .option(
      '--after <number>',
      'begin with the event after this one; 0 = with the first (else with the next)',
      count,
    )
    .option('--secret-file <path>', 'a file with the signing secret (else one is made and shown)')
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
  throw new OperatorError(`${path} has no signing secret: whsec_ and 32 bytes in base64.`);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new OperatorError(`The file with the signing secret cannot be read: ${(error as Error).message}`);
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
