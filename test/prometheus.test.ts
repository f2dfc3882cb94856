/** The alert rules and the board of `packaging/`: what they ask for exists, and each alert leads to an entry of the runbook. */
import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { watchPools } from '../src/lib/metrics/process-metrics.ts';
import { createMetrics, watchProcess } from '../src/lib/metrics.ts';
import { headingAnchors } from './support/heading-anchors.ts';
import { declaredNames } from './support/metrics-text.ts';
import { temporaryDirectory } from './support/service.ts';

const ROOT = join(import.meta.dirname, '..');
const RULES = join(ROOT, 'packaging', 'prometheus', 'rules.yaml');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const NO_PROMTOOL = 'promtool is not installed (Debian: the package "prometheus")';

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
    const tested = read('packaging/prometheus/rules.test.yaml');
    const told = read('docs/metrics.md');
    for (const { alert } of rules) {
      assert.ok(told.includes(`\`${alert}\``), `docs/metrics.md has no ${alert}`);
      assert.ok(tested.includes(`- alertname: ${alert}\n`), `no unit test of ${alert} fires`);
    }
  });

  it('pass promtool', (t) => {
    const promtool = (...args: string[]) =>
      spawnSync('promtool', args, { encoding: 'utf8', cwd: join(ROOT, 'packaging', 'prometheus') });
    if (promtool('--version').error) return t.skip(NO_PROMTOOL);
    for (const args of [
      ['check', 'rules', 'rules.yaml'],
      ['test', 'rules', 'rules.test.yaml'],
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
