/**
 * `teller verify-receiver`: examines a receiver of webhooks. With `--url` this machine sends the requests, and no service is
 * needed; with `--endpoint` the service sends them, as it sends deliveries.
 */
import { once } from 'node:events';
import { type Command, Option } from 'commander';
import { readClientConfig } from '../config.ts';
import { sampleDeposit } from '../deposits/recorded/deposit-schema.ts';
import { systemClock } from '../lib/clock.ts';
import { OperatorError } from '../lib/errors.ts';
import { createPoster } from '../outgoing/post.ts';
import { checkUrl, parseExemptions } from '../outgoing/public-url.ts';
import { resolveByDns } from '../outgoing/resolve-host.ts';
import { newSigningSecret, signingKeys } from '../outgoing/sign.ts';
import {
  createServiceApi,
  endpointPath,
  requireData,
  requireOwnWallet,
} from '../webhooks/events/service-api.ts';
import { examine } from '../webhooks/exam/examine.ts';
import type { CaseReport, ExamReport } from '../webhooks/exam/report.ts';
import { httpUrl } from './command-line.ts';
import { readSecret } from './secret-file.ts';

type Options = { url?: string; secretFile?: string; wallet?: string; endpoint?: string; json?: true };

export function verifyReceiverCommand(program: Command): void {
  program
    .command('verify-receiver')
    .description(
      'examine a receiver of webhooks: send it right and wrong requests, and say what to mend. All events are test ' +
        'events (….test). Exit code 1 when it has not passed',
    )
    .addOption(
      new Option('--url <url>', 'URL of the receiver; this machine sends the requests')
        .argParser(httpUrl)
        .conflicts(['wallet', 'endpoint']),
    )
    .option(
      '--secret-file <path>',
      'file with the signing secret of the receiver (default: a new one, which is shown)',
    )
    .addOption(
      new Option(
        '--endpoint <id>',
        'id of a webhook endpoint, whe_…; the service at API_URL sends the requests. Needs --wallet and API_KEY',
      ).conflicts('secretFile'),
    )
    .option('--wallet <id>', 'id of the wallet of the endpoint, wal_…')
    .option('--json', 'print the report as JSON')
    .action(async (options: Options) => {
      const report = await reportFor(options);
      process.stdout.write(options.json ? `${JSON.stringify(report, null, 2)}\n` : textOf(report));
      if (!report.passed) process.exitCode = 1;
    });
}

async function reportFor({ url, secretFile, wallet, endpoint, json }: Options): Promise<ExamReport> {
  if (url !== undefined) {
    const secret = secretFile === undefined ? await shareSecret(json === true) : readSecret(secretFile);
    return examineUrl(url, secret);
  }
  if (wallet !== undefined && endpoint !== undefined) return examineEndpoint({ wallet, endpoint });
  throw new OperatorError('Name a receiver: with --url, or with --wallet and --endpoint.');
}

/** Shows a new secret and waits until the receiver has it. The report alone is on standard output with `--json`. */
async function shareSecret(json: boolean): Promise<string> {
  const secret = newSigningSecret();
  (json ? process.stderr : process.stdout).write(
    `Start the receiver with this signing secret, then press Enter: ${secret}\n`,
  );
  await Promise.race([once(process.stdin, 'data'), once(process.stdin, 'end')]);
  process.stdin.destroy();
  return secret;
}

async function examineUrl(url: string, secret: string): Promise<ExamReport> {
  const exemptions = parseExemptions([new URL(url).host]);
  const checked = checkUrl(url, exemptions);
  if ('refused' in checked) throw new OperatorError(`The URL ${checked.refused}.`);
  const poster = createPoster({
    exemptions,
    show_exempt_answers: true,
    resolve: resolveByDns,
    clock: systemClock,
  });
  try {
    const keys = { current: signingKeys(secret), old: [] };
    const wallet_id = 'wal_sample';
    const deposit = (at: string) => sampleDeposit(true, { wallet_id, at });
    // Greater than any number of an earlier exam, and of a service: the receiver may have kept its place.
    const place = BigInt(systemClock.now().getTime());
    const examiner = { wallet_id, keys, deposit, place };
    const report = await examine({ clock: systemClock, poster }, url, examiner);
    if (!report) throw new OperatorError('The exam was stopped.');
    return report;
  } finally {
    await poster.close();
  }
}

async function examineEndpoint(of: { wallet: string; endpoint: string }): Promise<ExamReport> {
  const api = createServiceApi(readClientConfig(process.env));
  try {
    await requireOwnWallet(api, of.wallet);
    return await requireData<ExamReport>(api, {
      method: 'POST',
      path: endpointPath(of, '/exam'),
      body: {},
    });
  } finally {
    await api.close();
  }
}

function textOf({ passed, cases, unseen }: ExamReport): string {
  const count = cases.filter(({ outcome }) => outcome === 'passed').length;
  return [
    ...cases.flatMap(linesOf),
    '',
    ...(unseen.length > 0
      ? ['What the exam could not see:', ...unseen.map((line) => `  - ${line}`), HINT, '']
      : []),
    verdictOf(passed, count, cases.length, unseen.length > 0),
    '',
  ].join('\n');
}

const HINT =
  'A receiver that answers GET URL?handled=EVENT_ID shows this too: docs/webhooks.md, “Offer a look-up”.';

function verdictOf(passed: boolean, count: number, all: number, has_unseen: boolean): string {
  if (!passed) return `The receiver has not passed the exam: ${count} of ${all} cases passed.`;
  if (has_unseen) return `All ${count} cases passed, as far as the exam could see.`;
  return `The receiver has passed the exam: all ${count} cases.`;
}

function linesOf({ name, outcome, sent, expected, answers, advice }: CaseReport): string[] {
  const came = answers
    .map(({ status_code, error, duration_ms }) => error ?? `${status_code} in ${duration_ms} ms`)
    .join(', ');
  const first = `${outcome.padEnd(8)}${name.padEnd(22)}${came || 'not sent'}`;
  if (answers.length === 0) return [first];
  if (outcome === 'passed') return [first, ...(advice ? [`        ${advice}`] : [])];
  const wanted = expected === 'accepted' ? 'a 2xx status' : 'a 4xx status';
  return [first, `        Sent: ${sent} Expected: ${wanted}.`, `        ${advice}`];
}
