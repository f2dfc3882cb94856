/** Which alerts of packaging/prometheus fire on what /metrics says: promtool evaluates the rules. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { samplesOf } from './metrics-text.ts';
import { temporaryDirectory } from './service.ts';

const RULES = join(import.meta.dirname, '..', '..', 'packaging', 'prometheus', 'rules.yaml');
/** Two minutes, scraped every 15 s: within them a critical alert fires. */
const SCRAPES = 8;
const STEP_SECONDS = 15;

export const NO_PROMTOOL = 'promtool is not installed (Debian: the package "prometheus")';
export const hasPromtool = (): boolean => !spawnSync('promtool', ['--version']).error;

/**
 * The names of the alerts that fire after each of these states has lasted for two minutes, one state after the other. A state is
 * a text of /metrics. Times of the clock are left out: promtool has a clock of its own.
 */
export function firingAlerts(...states: string[]): string[][] {
  const values = new Map<string, string[]>();
  for (const [index, text] of states.entries()) {
    for (const { name, labels, value } of samplesOf(text)) {
      if (name.endsWith('_timestamp_seconds') || Number.isNaN(value)) continue;
      const shown = Object.entries(labels).map(([label, of]) => `${label}="${of}"`);
      const series = `${name}{${['instance="a:9464"', ...shown].join(',')}}`;
      const all = values.get(series) ?? states.map(() => `_x${SCRAPES}`);
      all[index] = `${value}x${SCRAPES - 1}`;
      values.set(series, all);
    }
  }
  const ends = states.map((_, index) => ((index + 1) * SCRAPES - 1) * STEP_SECONDS);
  const test = {
    interval: `${STEP_SECONDS}s`,
    input_series: [...values].map(([series, all]) => ({ series, values: all.join(' ') })),
    promql_expr_test: ends.map((end) => ({
      expr: 'ALERTS{alertstate="firing"}',
      eval_time: `${end}s`,
      exp_samples: [{ labels: 'nothing', value: 0 }], // so that promtool says what there is
    })),
  };
  const file = join(temporaryDirectory(), 'states.test.yaml');
  const whole = { rule_files: [RULES], evaluation_interval: `${STEP_SECONDS}s`, tests: [test] };
  writeFileSync(file, JSON.stringify(whole)); // JSON is YAML
  const { stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' });
  const told = (stdout + stderr).split(/expr: "ALERTS/).slice(1);
  if (told.length !== states.length) throw new Error(stdout + stderr);
  return told.map((part) => [...part.matchAll(/alertname="(\w+)"/g)].map(([, alert = '']) => alert).sort());
}

/** Whether the alert fires after each of these states; others may fire too. */
export function firesIn(alert: string, ...states: string[]): boolean[] {
  return firingAlerts(...states).map((alerts) => alerts.includes(alert));
}
