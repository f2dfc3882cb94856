/** The Helm chart, as far as it shows without helm; packaging/helm/try-chart.sh renders it and checks the result. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isMap, parse, parseDocument } from 'yaml';
import { version } from '../../src/lib/version.ts';

const CHART = join(import.meta.dirname, '..', '..', 'packaging', 'helm', 'stellar-teller');
const read = (file: string) => readFileSync(join(CHART, file), 'utf8');
const values = parseDocument(read('values.yaml'));
const schema = JSON.parse(read('values.schema.json'));

/** Maps whose members the user names; what stands in a member is explained above the map. */
const FREE = ['config', 'secrets', 'deployments.api', 'deployments.worker', 'migration.resources'];

/** The paths of all values, with the comment above each. */
function* documented(map: unknown, path = ''): Generator<[path: string, comment: string]> {
  assert.ok(isMap(map));
  for (const [index, { key, value }] of map.items.entries()) {
    const name = `${path}${(key as { value: string }).value}`;
    const above = (key as { commentBefore?: string }).commentBefore;
    // The parser gives the comment above the first member to the map.
    yield [name, above ?? (index === 0 ? map.commentBefore : undefined) ?? ''];
    if (isMap(value) && value.items.length > 0 && !FREE.includes(name)) yield* documented(value, `${name}.`);
  }
}

test('each value is explained by a comment above it', () => {
  assert.deepEqual(values.errors, []);
  const without = [...documented(values.contents)].filter(([path, comment]) => {
    const group = isMap(values.getIn(path.split('.'))) && !FREE.includes(path);
    return !group && comment.trim() === '';
  });
  assert.deepEqual(without, []);
});

test('the schema knows each value, and refuses other names', () => {
  assert.equal(schema.additionalProperties, false);
  const { global: _, ...known } = schema.properties; // Helm adds it
  assert.deepEqual(Object.keys(known), Object.keys(values.toJS()));
  for (const [name, value] of Object.entries(values.toJS() as Record<string, object>)) {
    if (FREE.includes(name) || name === 'deployments' || !known[name].properties) continue;
    assert.deepEqual(Object.keys(known[name].properties), Object.keys(value), name);
    assert.equal(known[name].additionalProperties, false, name);
  }
});

test('by default every role runs, on two processes', () => {
  const deployments = Object.values(values.toJS().deployments) as { roles: string[]; replicas: number }[];
  const roles = deployments.flatMap((deployment) => deployment.roles).sort();
  assert.deepEqual(roles, ['api', 'deliverer', 'ingester', 'settler']);
  for (const { replicas } of deployments) assert.equal(replicas, 2);
});

test('the chart has the version of the service, and holds no secret', () => {
  const chart = parse(read('Chart.yaml'));
  assert.deepEqual([chart.version, chart.appVersion], [version, version]);
  for (const file of globSync('templates/*', { cwd: CHART }))
    assert.doesNotMatch(read(file), /kind: Secret$/m, file);
});

test('all pods are restricted as the Pod Security Standard "restricted" asks', () => {
  const helpers = read('templates/_helpers.tpl');
  for (const line of [
    'runAsNonRoot: true',
    'seccompProfile: { type: RuntimeDefault }',
    'allowPrivilegeEscalation: false',
    'readOnlyRootFilesystem: true',
    'capabilities: { drop: [ALL] }',
    'automountServiceAccountToken: false',
    // Variables like TELLER_SERVICE_HOST would be taken for misspelt names of ours.
    'enableServiceLinks: false',
    // Others than root and the service's group cannot read the secrets; the service refuses a key that they can.
    'defaultMode: 0440',
  ])
    assert.ok(helpers.includes(line), line);
  for (const file of ['templates/deployment.yaml', 'templates/migration.yaml'])
    assert.match(read(file), /include "teller\.pod"[\s\S]*include "teller\.container"/, file);
});
