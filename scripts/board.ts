/**
 * Writes packaging/grafana/board.json, a board for Grafana, or with --check says whether it is up to date. Figures of the
 * database are the same in every process, so they are taken by `max`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  LegendDisplayMode,
  LegendPlacement,
  VizLegendOptionsBuilder,
} from '@grafana/grafana-foundation-sdk/common';
import {
  DashboardBuilder,
  DatasourceVariableBuilder,
  RowBuilder,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus';
import { PanelBuilder } from '@grafana/grafana-foundation-sdk/timeseries';

const FILE = join(import.meta.dirname, '..', 'packaging', 'grafana', 'board.json');
const SOURCE = { type: 'prometheus', uid: '$source' };
/** Three panels in a line of the grid, which is 24 wide. */
const [PER_LINE, WIDTH, HEIGHT] = [3, 8, 8];

/** `queries`: by the legends of their lines. `unit`: as Grafana names it. */
type Panel = { title: string; description: string; unit: string; queries: Record<string, string> };

/** p50 and p99 of a histogram over five minutes. */
function quantiles(name: string, filter = ''): Record<string, string> {
  const of = (quantile: number) =>
    `histogram_quantile(${quantile}, sum by (le) (rate(${name}_bucket${filter}[5m])))`;
  return { p50: of(0.5), p99: of(0.99) };
}

const rate = (name: string, by: string, filter = '') => `sum by (${by}) (rate(${name}${filter}[5m]))`;
const newest = (name: string, by: string) => `max by (${by}) (${name})`;

const ROWS: Record<string, Panel[]> = {
  'Service levels': [
    {
      title: 'Withdrawals within two ledgers',
      description: 'Of those that were confirmed, in an hour. Wanted: 99 in 100',
      unit: 'percentunit',
      queries: {
        share:
          'sum(rate(teller_withdrawal_ledgers_bucket{le="2"}[1h])) / sum(rate(teller_withdrawal_ledgers_count[1h]))',
      },
    },
    {
      title: 'From the commit of a deposit to its webhook',
      description: 'The first 2xx of an endpoint. Wanted: p99 below 1 s',
      unit: 's',
      queries: quantiles('teller_deposit_told_seconds'),
    },
    {
      title: 'Requests without a fault of the service',
      description: 'In an hour. Wanted: 999 in 1,000',
      unit: 'percentunit',
      queries: {
        share:
          '1 - (sum(rate(teller_http_requests_total{status=~"5..",code!="outcome_pending"}[1h])) or vector(0)) / sum(rate(teller_http_requests_total[1h]))',
      },
    },
  ],
  Withdrawals: [
    {
      title: 'Open withdrawals',
      description: 'Withdrawals without an outcome, by state',
      unit: 'short',
      queries: { '{{state}}': newest('teller_withdrawals_open', 'state') },
    },
    {
      title: 'Oldest open withdrawal',
      description: 'Since its claim, or its last approval, by state',
      unit: 's',
      queries: { '{{state}}': newest('teller_withdrawal_open_age_seconds', 'state') },
    },
    {
      title: 'Blocked transaction sources',
      description: 'assigned: withdrawals wait for them; free: channels without a withdrawal',
      unit: 'short',
      queries: { '{{state}}': newest('teller_tx_sources_blocked', 'state') },
    },
    {
      title: 'Unmatched transactions',
      description: 'Open ones, by what they block: a wallet, or a key',
      unit: 'short',
      queries: { '{{blocks}}': newest('teller_unmatched_transactions_open', 'blocks') },
    },
    {
      title: 'Key provider',
      description: '1: the key provider gives keys. Empty without one',
      unit: 'short',
      queries: { '{{instance}} {{provider}}': 'teller_key_provider_up' },
    },
    {
      title: 'Treasury',
      description:
        'Stroops that the treasury can spend. Empty where it pays nothing for wallets and fills no channel accounts',
      unit: 'short',
      queries: { spendable: 'max(teller_treasury_spendable_stroops)' },
    },
    {
      title: 'Orders refused by a treasury budget',
      description: 'Of all teams, in an hour. "teller treasury" says what each team has left',
      unit: 'short',
      queries: { refused: 'sum(increase(teller_http_requests_total{code="treasury_budget_spent"}[1h]))' },
    },
    {
      title: 'Outcomes a second',
      description: 'Confirmed, failed and expired withdrawals',
      unit: 'ops',
      queries: { '{{outcome}}': rate('teller_withdrawal_outcomes_total', 'outcome') },
    },
    {
      title: 'From claim to proof',
      description: 'Confirmed withdrawals. A ledger closes every five seconds',
      unit: 's',
      queries: quantiles('teller_withdrawal_proof_seconds'),
    },
    {
      title: 'Wait for a transaction source',
      description: 'With long waits, more channel accounts help',
      unit: 's',
      queries: quantiles('teller_withdrawal_tx_source_wait_seconds'),
    },
    {
      title: 'Failures by reason',
      description: 'Withdrawals that failed, in an hour',
      unit: 'short',
      queries: { '{{reason}}': 'sum by (reason) (increase(teller_withdrawal_failures_total[1h]))' },
    },
    {
      title: 'Fees',
      description: 'Stroops in an hour, by whose account the ledger has charged',
      unit: 'short',
      queries: { '{{paid_by}}': 'sum by (paid_by) (increase(teller_withdrawal_fees_stroops_total[1h]))' },
    },
    {
      title: 'In flight',
      description: 'Signed withdrawals without an outcome, of each process',
      unit: 'short',
      queries: { '{{instance}}': 'teller_withdrawals_in_flight' },
    },
    {
      title: 'Payouts',
      description: 'Payouts that have begun and not ended',
      unit: 'short',
      queries: { '{{state}}': newest('teller_payouts_open', 'state') },
    },
    {
      title: 'Ledgers behind',
      description:
        'Ledger time between what is processed and the newest ledger; and time since the newest processed ledger closed',
      unit: 's',
      queries: {
        withdrawals: 'max(teller_withdrawals_lag_seconds)',
        deposits: 'max(teller_deposits_lag_seconds)',
        'since its close': 'max(teller_withdrawal_cursor_age_seconds)',
      },
    },
  ],
  Deposits: [
    {
      title: 'Deposits a second',
      description: 'By whether they were attributed to an address',
      unit: 'ops',
      queries: { 'attributed {{attributed}}': rate('teller_deposits_total', 'attributed') },
    },
    {
      title: 'From ledger close to commit',
      description: 'The close time of a ledger is a whole second',
      unit: 's',
      queries: quantiles('teller_deposit_commit_seconds'),
    },
    {
      title: 'From ledger close to acknowledgement',
      description: 'The first 2xx of an endpoint to the event of a deposit',
      unit: 's',
      queries: quantiles('teller_deposit_acknowledged_seconds'),
    },
    {
      title: 'Stop reasons',
      description: '1 while deposits are not read normally',
      unit: 'short',
      queries: { '{{state}}': newest('teller_deposits_stop_reason', 'state') },
    },
    {
      title: 'Adjustments',
      description: 'What others did to wallets without paying them, in an hour',
      unit: 'short',
      queries: { '{{reason}}': 'sum by (reason) (increase(teller_adjustments_total[1h]))' },
    },
    {
      title: 'Books',
      description: 'Wallets that differ from the ledger, and transactions in quarantine',
      unit: 'short',
      queries: {
        different: 'max(teller_wallets_different)',
        quarantined: 'max(teller_quarantined_transactions)',
      },
    },
    {
      title: 'Age of the reconciliation',
      description: 'Of the wallet that waits longest',
      unit: 's',
      queries: {
        compared: 'max(teller_reconciliation_age_seconds)',
        summed: 'max(teller_reconciliation_sum_age_seconds)',
      },
    },
  ],
  Webhooks: [
    {
      title: 'Attempts a second',
      description: 'By result',
      unit: 'ops',
      queries: { '{{result}}': rate('teller_delivery_attempt_seconds_count', 'result') },
    },
    {
      title: 'Time of an attempt',
      description: 'Receivers that answer slowly slow down their own deliveries only',
      unit: 's',
      queries: quantiles('teller_delivery_attempt_seconds'),
    },
    {
      title: 'Backlog',
      description: 'Pending deliveries of enabled endpoints',
      unit: 'short',
      queries: { pending: 'max(teller_deliveries_pending)' },
    },
    {
      title: 'Oldest due delivery',
      description: 'Since its turn, while no process has claimed it',
      unit: 's',
      queries: { age: 'max(teller_delivery_due_age_seconds)' },
    },
    {
      title: 'Deliveries that ended',
      description: 'In an hour',
      unit: 'short',
      queries: { '{{outcome}}': 'sum by (outcome) (increase(teller_deliveries_total[1h]))' },
    },
    {
      title: 'Failing and disabled endpoints',
      description:
        'Failing: nothing but failures for five minutes. Disabled after five days of them, or by their owner',
      unit: 'short',
      queries: {
        failing: 'max(teller_webhook_endpoints_failing)',
        'disabled by {{by}}': newest('teller_webhook_endpoints_disabled', 'by'),
      },
    },
  ],
  Requests: [
    {
      title: 'Requests a second',
      description: 'By status',
      unit: 'reqps',
      queries: { '{{status}}': rate('teller_http_requests_total', 'status') },
    },
    {
      title: 'Time of reads',
      description: 'Successful GET requests. Some of them wait for news',
      unit: 's',
      queries: quantiles('teller_http_request_duration_seconds', '{method="GET",status_class="2xx"}'),
    },
    {
      title: 'Errors by code',
      description: 'The ten most frequent, in an hour',
      unit: 'short',
      queries: {
        '{{code}}': 'topk(10, sum by (code) (increase(teller_http_requests_total{code!=""}[1h])))',
      },
    },
    {
      title: 'Slowest routes',
      description: 'The ten slowest by p99',
      unit: 's',
      queries: {
        '{{route}}':
          'topk(10, histogram_quantile(0.99, sum by (le, route) (rate(teller_http_request_duration_seconds_bucket[5m]))))',
      },
    },
    {
      title: 'Clients that went away',
      description: 'Before their response was sent, in an hour',
      unit: 'short',
      queries: { '{{route}}': 'sum by (route) (increase(teller_http_requests_aborted_total[1h]))' },
    },
    {
      title: 'Sign-ins',
      description: 'Logins, second factors, tokens of service users and their failures, in an hour',
      unit: 'short',
      queries: {
        '{{action}}':
          'sum by (action) (increase(teller_audit_entries_total{action=~"login[.].*|password[.]refused|second_factor[.].*|service_user[.]token_.*"}[1h]))',
      },
    },
  ],
  Storage: [
    {
      title: 'Free space',
      description: 'What the service can still write, by process and place',
      unit: 'bytes',
      queries: { '{{instance}} {{place}}': 'teller_disk_free_bytes' },
    },
    {
      title: 'Free share',
      description: 'Of the size of the disk. Warned below a tenth',
      unit: 'percentunit',
      queries: { '{{instance}} {{place}}': 'teller_disk_free_bytes / teller_disk_size_bytes' },
    },
    {
      title: 'Key journal',
      description: '1: it can be written to. Empty without KEY_JOURNAL',
      unit: 'short',
      queries: { '{{instance}}': 'teller_key_journal_writable' },
    },
    {
      title: 'Archive of the log',
      description: 'Segments that wait, and 1 while the archive refuses the newest',
      unit: 'short',
      queries: {
        '{{instance}} waiting': 'teller_wal_archive_waiting',
        '{{instance}} refused': 'teller_wal_archive_refused',
      },
    },
    {
      title: 'Last count of the database',
      description: 'Seconds since the gauges that count rows were read',
      unit: 's',
      queries: { age: 'time() - max(teller_database_read_timestamp_seconds)' },
    },
  ],
  Processes: [
    {
      title: 'Database connections in use',
      description: 'By process and pool',
      unit: 'short',
      queries: { '{{instance}} {{pool}}': 'teller_database_connections{state="in_use"}' },
    },
    {
      title: 'Statements that wait for a connection',
      description: 'By process and pool',
      unit: 'short',
      queries: { '{{instance}} {{pool}}': 'teller_database_waiting' },
    },
    {
      title: 'Event loop',
      description: 'p99 of the delay since the last scrape',
      unit: 's',
      queries: { '{{instance}}': 'nodejs_eventloop_lag_p99_seconds' },
    },
    {
      title: 'Steps of loops that failed',
      description: 'In ten minutes',
      unit: 'short',
      queries: { '{{loop}}': 'sum by (loop) (increase(teller_loop_failures_total[10m]))' },
    },
    {
      title: 'Last success of loops',
      description: 'Seconds since then, in the process that is latest',
      unit: 's',
      queries: { '{{loop}}': 'max by (loop) (time() - teller_loop_success_timestamp_seconds)' },
    },
    {
      title: 'Unusable answers of the network',
      description: 'Ignored because they cannot be read or contradict themselves, in ten minutes',
      unit: 'short',
      queries: {
        '{{method}}': 'sum by (method) (increase(teller_network_unusable_answers_total[10m]))',
      },
    },
    {
      title: 'Protocols of the network',
      description: 'The network, this version, and the highest that each source supports',
      unit: 'none',
      queries: {
        network: 'max(teller_network_protocol)',
        'this version': 'min(teller_known_protocol)',
        'source {{source}}': newest('teller_source_supported_protocol', 'source'),
      },
    },
    {
      title: 'Leaders',
      description: '1: this process leads the work; disputed: two processes had the lead at once',
      unit: 'short',
      queries: {
        '{{instance}} {{work}}': 'teller_leads',
        'disputed {{work}}': 'max by (work) (teller_leadership_disputed)',
      },
    },
    {
      title: 'Memory',
      description: 'Resident memory of each process',
      unit: 'bytes',
      queries: { '{{instance}}': 'process_resident_memory_bytes' },
    },
  ],
};

function queryOf([legend, expr]: [string, string], index: number): DataqueryBuilder {
  const ref = String.fromCharCode('A'.charCodeAt(0) + index);
  return new DataqueryBuilder().expr(expr).legendFormat(legend).refId(ref);
}

function panelOf({ title, description, unit, queries }: Panel, id: number, place: { x: number; y: number }) {
  const panel = new PanelBuilder().id(id).title(title).description(description).unit(unit).min(0);
  panel.datasource(SOURCE).gridPos({ ...place, w: WIDTH, h: HEIGHT });
  for (const query of Object.entries(queries).map(queryOf)) panel.withTarget(query);
  const legend = new VizLegendOptionsBuilder().showLegend(true);
  panel.legend(legend.displayMode(LegendDisplayMode.List).placement(LegendPlacement.Bottom));
  return panel;
}

function board(): string {
  const dashboard = new DashboardBuilder('Stellar Teller')
    .uid('stellar-teller')
    .tags(['stellar-teller'])
    .refresh('30s')
    .time({ from: 'now-6h', to: 'now' })
    .withVariable(new DatasourceVariableBuilder('source').label('Prometheus').type('prometheus'));
  let [id, y] = [1, 0];
  for (const [title, panels] of Object.entries(ROWS)) {
    dashboard.withRow(new RowBuilder(title).id(id++).gridPos({ x: 0, y: y++, w: PER_LINE * WIDTH, h: 1 }));
    for (const [index, panel] of panels.entries()) {
      const line = Math.floor(index / PER_LINE);
      const place = { x: (index % PER_LINE) * WIDTH, y: y + line * HEIGHT };
      dashboard.withPanel(panelOf(panel, id++, place));
    }
    y += Math.ceil(panels.length / PER_LINE) * HEIGHT;
  }
  return `${JSON.stringify(dashboard.build(), null, 2)}\n`;
}

const text = board();
if (!process.argv.includes('--check')) writeFileSync(FILE, text);
else if (readFileSync(FILE, 'utf8') !== text) {
  console.error('packaging/grafana/board.json differs from scripts/board.ts: run "npm run board".');
  process.exitCode = 1;
}
