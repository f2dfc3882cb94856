/** The alert rules and the board of `packaging/`: what they ask for exists, and each alert leads to an entry of the runbook. */
import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { ERROR_CODES } from '../src/lib/errors.ts';
import { watchPools } from '../src/lib/metrics/process-metrics.ts';
import { createMetrics, watchProcess } from '../src/lib/metrics.ts';
import { NO_PROMTOOL } from './support/firing-alerts.ts';
import { headingAnchors } from './support/heading-anchors.ts';
import { declaredNames } from './support/metrics-text.ts';
import { temporaryDirectory } from './support/service.ts';

const ROOT = join(import.meta.dirname, '..');
const RULES = join(ROOT, 'packaging', 'prometheus', 'rules.yaml');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const [WARNINGS, CRITICAL] = ['rules.test.yaml', 'critical.test.yaml'];

type Rule = {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook_url: string };
};
const rules = (parse(readFileSync(RULES, 'utf8')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);

/** Every name of a metric in an expression, without labels and texts. */
const metricsIn = (expr: string): string[] =>
  expr.replace(/"[^"]*"/g, '').match(/\b(teller|nodejs|process)_[a-z0-9_]+/g) ?? [];

async function existing(): Promise<Set<string>> {
  const metrics = createMetrics();
  watchProcess(metrics);
  watchPools(metrics, {});
  return declaredNames(await metrics.registry.metrics());
}

/** The unit tests of critical alerts, each with the time that docs/metrics.md promises. */
const timed: object[] = [];

describe('the alert rules', () => {
  it('ask for metrics that /metrics has', async () => {
    const names = await existing();
    for (const { alert, expr } of rules) {
      const asked = metricsIn(expr);
      assert.ok(asked.length > 0 || /\bup\{/.test(expr), `${alert} asks for something`);
      assert.deepEqual(
        asked.filter((name) => !names.has(name)),
        [],
        alert,
      );
    }
  });

  it('name the scrape job that compose.yaml and the guide have', () => {
    const jobs = rules.flatMap(({ expr }) => [...expr.matchAll(/\bjob="([^"]*)"/g)].map(([, job]) => job));
    const { scrape_configs } = parse(read('packaging/compose/prometheus.yaml'));
    const scraped = scrape_configs.map(({ job_name }: { job_name: string }) => job_name);
    assert.deepEqual([...new Set(jobs)], scraped);
    for (const job of jobs) assert.match(read('docs/metrics.md'), new RegExp(`- job_name: ${job}$`, 'm'));
  });

  it('have a severity, and lead to an entry of the runbook', () => {
    const anchors = headingAnchors(read('docs/runbook.md'));
    for (const { alert, labels, annotations } of rules) {
      assert.match(labels.severity, /^(critical|warning)$/, alert);
      assert.ok(annotations.summary.endsWith('.'), alert);
      const [file, anchor = ''] = annotations.runbook_url.split('#');
      assert.equal(file, 'docs/runbook.md', alert);
      assert.ok(anchors.has(anchor), `${alert}: the runbook has no #${anchor}`);
    }
  });

  it('are each in a table of docs/metrics.md, and each in a unit test that fires', () => {
    const told = read('docs/metrics.md');
    for (const { alert, labels } of rules) {
      assert.ok(told.includes(`\`${alert}\``), `docs/metrics.md has no ${alert}`);
      const tested = read(`packaging/prometheus/${labels.severity === 'critical' ? CRITICAL : WARNINGS}`);
      assert.ok(tested.includes(`- alertname: ${alert}\n`), `no unit test of ${alert} fires`);
    }
  });

  it('that are critical have each a row in the table of times, of two minutes at most, which their unit tests keep', () => {
    const { tests } = parse(read(`packaging/prometheus/${CRITICAL}`));
    const rows = [...read('docs/metrics.md').matchAll(/\| `(Teller\w+)` \| [^|]+ \| (\d+) s \|/g)];
    const told_seconds = new Map(rows.map(([, alert = '', seconds]) => [alert, Number(seconds)]));
    const critical = rules.filter(({ labels }) => labels.severity === 'critical').map(({ alert }) => alert);
    assert.deepEqual([...told_seconds.keys()].sort(), critical.sort());
    for (const { name, alert_rule_test } of tests) {
      const { alertname } = alert_rule_test.find(({ exp_alerts }: any) => exp_alerts.length > 0);
      const seconds = told_seconds.get(alertname) ?? Number.NaN;
      assert.ok(seconds <= 120, alertname);
      // Of these, 15 s at most are those until the first scrape, at minute 10.
      const at = `${10 * 60 + seconds - 15}s`;
      const fires = { expr: `count(ALERTS{alertname="${alertname}",alertstate="firing"})`, eval_time: at };
      const told = { ...fires, exp_samples: [{ labels: '{}', value: 1 }] };
      timed.push({ ...tests.find((each: any) => each.name === name), promql_expr_test: [told] });
    }
  });

  it('that are critical fire in the times of the table', (t) => {
    const file = join(temporaryDirectory(), 'times.test.yaml');
    const whole = { rule_files: [RULES], evaluation_interval: '15s', tests: timed };
    writeFileSync(file, JSON.stringify(whole));
    const { error, status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], {
      encoding: 'utf8',
    });
    if (error) return t.skip(NO_PROMTOOL);
    assert.equal(status, 0, stdout + stderr);
  });

  it('that are critical fire within two minutes of their incident', () => {
    const { evaluation_interval, tests } = parse(read(`packaging/prometheus/${CRITICAL}`));
    const times = tests.flatMap(({ interval, alert_rule_test }: any) =>
      alert_rule_test.map(({ eval_time, exp_alerts }: any) => ({
        interval,
        eval_time,
        fires: exp_alerts.length > 0,
      })),
    );
    assert.equal(evaluation_interval, '15s');
    for (const { interval, eval_time, fires } of times) {
      assert.equal(interval, '15s');
      if (fires) assert.equal(eval_time, '12m', 'the incident of each begins at minute 10');
    }
  });

  it('pass promtool', (t) => {
    const promtool = (...args: string[]) =>
      spawnSync('promtool', args, { encoding: 'utf8', cwd: join(ROOT, 'packaging', 'prometheus') });
    if (promtool('--version').error) return t.skip(NO_PROMTOOL);
    for (const args of [
      ['check', 'rules', 'rules.yaml'],
      ['test', 'rules', WARNINGS, CRITICAL],
    ]) {
      const { status, stdout, stderr } = promtool(...args);
      assert.equal(status, 0, stdout + stderr);
    }
  });
});

describe('the board', () => {
  const board = read('packaging/grafana/board.json');
  const asked = [...board.matchAll(/"expr": "((?:[^"\\]|\\.)*)"/g)].map(
    ([, text]) => JSON.parse(`"${text}"`) as string,
  );

  it('asks for metrics that /metrics has', async () => {
    const names = await existing();
    assert.ok(asked.length > 30);
    for (const expr of asked) {
      const found = metricsIn(expr);
      assert.ok(found.length > 0, expr);
      assert.deepEqual(
        found.filter((name) => !names.has(name)),
        [],
        expr,
      );
    }
  });

  it('shows every metric that an alert asks for', () => {
    const shown = new Set(asked.flatMap(metricsIn));
    for (const { alert, expr } of rules)
      assert.deepEqual(
        metricsIn(expr).filter((name) => !shown.has(name)),
        [],
        `${alert}: add a panel to scripts/board.ts`,
      );
  });

  it('asks, as the alerts do, for error codes that the API has', () => {
    const codes = new Set<string>(ERROR_CODES);
    const named = [...asked, ...rules.map(({ expr }) => expr)].flatMap((expr) =>
      [...expr.matchAll(/\bcode!?="([^"]+)"/g)].map(([, code = '']) => code),
    );
    assert.ok(named.includes('treasury_budget_spent'));
    assert.deepEqual(
      named.filter((code) => !codes.has(code)),
      [],
    );
  });

  it('asks in expressions that promtool can read', (t) => {
    const rules = asked.map((expr, index) => ({ record: `board:${index}`, expr }));
    const file = join(temporaryDirectory(), 'board.yaml');
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'board', rules }] })); // JSON is YAML
    const { error, status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', file], {
      encoding: 'utf8',
    });
    if (error) return t.skip(NO_PROMTOOL);
    assert.equal(status, 0, stdout + stderr);
  });
});

it('docs/metrics.md has a row for every metric of the service, with its type and labels', async () => {
  const metrics = createMetrics();
  watchPools(metrics, {});
  const rows = read('docs/metrics.md')
    .split('\n')
    .filter((line) => line.startsWith('| `teller_'));
  const written = rows.map((row) => {
    const [, name = '', type, labels = ''] = row.split('|').map((cell) => cell.trim());
    const of = [...labels.matchAll(/`([a-z_]+)`/g)].map(([, label]) => label);
    return `${name.replaceAll('`', '')} ${type} ${of.sort()}`;
  });
  const real = metrics.registry.getMetricsAsArray().map((metric) => {
    const { name, type, labelNames } = metric as unknown as {
      name: string;
      type: string;
      labelNames: string[];
    };
    return `${name} ${type ?? metric.constructor.name.toLowerCase()} ${[...labelNames].sort()}`;
  });
  assert.deepEqual(written.sort(), real.sort());
});
