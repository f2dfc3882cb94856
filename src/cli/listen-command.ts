/** `teller listen`: a wallet's webhooks on a developer's machine. It needs the API of a service and nothing else. */
import { type Command, InvalidArgumentError } from 'commander';
import { readClientConfig } from '../config.ts';
import { systemClock } from '../lib/clock.ts';
import { newSigningSecret } from '../outgoing/sign.ts';
import { continueAfter, forwardEvents, prepareForwarding } from '../webhooks/events/forward-events.ts';
import { httpUrl } from './command-line.ts';
import { readSecret } from './secret-file.ts';

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
    .action(async ({ forwardTo: forward_to, wallet: wallet_id, after: from, secretFile }: Options) => {
      const order = { ...readClientConfig(process.env), wallet_id, forward_to };
      const signing_secret = secretFile === undefined ? newSigningSecret() : readSecret(secretFile);
      const { after, receiver_problem } = await prepareForwarding({ ...order, after: from ?? 'latest' });
      const stopping = new AbortController();
      for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stopping.abort());
      say(`Forwarding the events of ${wallet_id} to ${forward_to}`);
      if (receiver_problem)
        say(`The receiver cannot be reached now: ${receiver_problem}. Its events wait for it.`);
      say(`Waiting for what comes after event ${after}.`);
      // After everything that may be wrong: whoever sees the secret can use it.
      if (secretFile === undefined) say(`Signing secret of this session: ${signing_secret}`);
      const last = await forwardEvents(
        { ...order, signing_secret, after },
        { clock: systemClock, say, signal: stopping.signal },
      );
      say(`Stopped. ${continueAfter(last)}`);
    });
}

function count(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a number.');
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
