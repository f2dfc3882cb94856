/** `teller sources`: asks every configured server of the network what it is and has. It needs no database. */
import type { Command } from 'commander';
import { type Config, readConfig } from '../config.ts';
import { systemClock } from '../lib/clock.ts';
import { createLog } from '../lib/log.ts';
import { createMetrics } from '../lib/metrics.ts';
import { version } from '../lib/version.ts';
import { KNOWN_PROTOCOL } from '../stellar/protocol/known-protocol.ts';
import { createStellar } from '../stellar/sources/create-stellar.ts';
import { type ProtocolReport, protocolReport } from '../stellar/sources/protocol-report.ts';
import type { SourceReport } from '../stellar/stellar.ts';
import { networkUrls } from './command-line.ts';

export function sourcesCommand(program: Command): void {
  program
    .command('sources')
    .description(
      'show version, ledgers, protocols and state of every source of the network (STELLAR_RPC_URL, then HORIZON_URL); ' +
        'exit code 1 when one cannot be used, or when the network is at a newer protocol than this version reads',
    )
    .action(async () => {
      const config = readConfig(process.env);
      const reports = await reportsOf(config);
      const protocol = protocolReport(reports);
      process.stdout.write(reports.map((report) => describe(report, systemClock.now())).join(''));
      process.stdout.write(describeProtocol(protocol));
      if (protocol.state === 'above' || reports.some(({ usable }) => !usable)) process.exitCode = 1;
    });
}

/** Asks every source of the network. Unlike the service, it waits for each of them. */
async function reportsOf(config: Config): Promise<SourceReport[]> {
  const { horizon_urls, passphrase } = config;
  const options = {
    passphrase,
    clock: systemClock,
    metrics: createMetrics(),
    log: createLog('silent', false),
  };
  const rpc_urls = await networkUrls(config);
  const alone = [
    ...rpc_urls.map((url) => ({ rpc_urls: [url], horizon_urls: [] })),
    ...horizon_urls.map((url) => ({ rpc_urls: [], horizon_urls: [url] })),
  ].map((urls) => createStellar({ ...options, ...urls }));
  try {
    const reports = await Promise.all(alone.map((stellar) => stellar.sources()));
    return reports.flat().map((report, index) => ({ ...report, source: index + 1 }));
  } finally {
    await Promise.all(alone.map((stellar) => stellar.close()));
  }
}

function describe(report: SourceReport, now: Date): string {
  const { source } = report;
  if (!report.usable) return `source ${source}: cannot be used: ${report.detail}\n`;
  const { software, latest, oldest_ledger, lacks, supported_protocol } = report.description;
  const supported =
    supported_protocol === null
      ? 'it does not tell which protocol it supports'
      : `it supports protocol ${supported_protocol} and below`;
  const age_seconds = BigInt(Math.floor(now.getTime() / 1000)) - latest.close_time;
  return [
    `source ${source}: ${software}`,
    `  ledgers ${oldest_ledger} to ${latest.sequence}; the newest closed ${age_seconds} s ago`,
    `  protocol ${latest.protocol_version}; ${supported}`,
    ...lacks.map((what) => `  ${what}`),
    '',
  ].join('\n');
}

function describeProtocol({ state, network, warnings }: ProtocolReport): string {
  const told = network === null ? 'unknown' : `protocol ${network}`;
  const severity = state === 'above' ? 'error' : 'warning';
  return [
    `network: ${told}; this version (${version}) reads up to protocol ${KNOWN_PROTOCOL}`,
    ...warnings.map((warning, index) => `${index === 0 ? severity : 'warning'}: ${warning}`),
    '',
  ].join('\n');
}
