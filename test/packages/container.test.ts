/** The container image and compose.yaml, as far as they show without a container engine. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { version } from '../../src/lib/version.ts';
import { temporaryDirectory } from '../support/service.ts';

const PACKAGING = join(import.meta.dirname, '..', '..', 'packaging');
const read = (file: string) => readFileSync(join(PACKAGING, file), 'utf8');

type Service = {
  image: string;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  ulimits?: { core: number };
  ports?: string[];
  secrets?: string[];
  environment?: Record<string, string>;
};
const compose = parse(read('compose.yaml')) as {
  services: Record<string, Service>;
  secrets: Record<string, { file: string }>;
};

test('the image runs one process as a numbered user, from bases that the builder chooses', () => {
  const dockerfile = read('container/Dockerfile');
  assert.match(dockerfile, /^USER 10001:10001$/m);
  assert.match(dockerfile, /^ENTRYPOINT \["\/app\/node", "\/app\/bin\/teller\.js"\]$/m);
  assert.match(dockerfile, /^HEALTHCHECK .* CMD \["\/app\/node", "\/app\/bin\/health\.js"\]$/m);
  assert.match(dockerfile, /^VOLUME \/data$/m);
  assert.deepEqual(
    [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base?.replace(/\W/g, '')),
    ['BUILD_BASE', 'RUN_BASE'],
  );
  assert.match(read('container/passwd'), /^teller:x:10001:10001:/m); // initdb needs it
});

test('nothing of data/, which has the master key, is sent to the builder', () => {
  const lines = read('../.dockerignore').split('\n');
  assert.ok(lines.includes('*'));
  for (const line of lines.filter((line) => line.startsWith('!')))
    assert.doesNotMatch(line, /data|secrets|\*/, line);
});

test('the builder gets all that the build copies', () => {
  const allowed = read('../.dockerignore')
    .split('\n')
    .filter((line) => line.startsWith('!'));
  const [, copied = ''] = /^const COPIED = \[$(.*?)^\];$/ms.exec(read('../scripts/build.ts')) ?? [];
  const paths = [...copied.matchAll(/'([^']+)'/g)].map(([, path = '']) => path);
  assert.ok(paths.length > 5);
  for (const path of paths)
    assert.ok(
      allowed.some((line) => path === line.slice(1) || path.startsWith(`${line.slice(1)}/`)),
      path,
    );
});

test('compose pins each image, and gives the service no more than it needs', () => {
  for (const [name, { image, security_opt, ports = [] }] of Object.entries(compose.services)) {
    assert.match(image, /:v?\d+\.\d+(\.\d+)?(-[a-z]+)?$/, name);
    assert.deepEqual(security_opt, ['no-new-privileges:true'], name);
    for (const port of ports) assert.match(port, /^127\.0\.0\.1:/, name);
  }
  const { teller } = compose.services;
  assert.ok(teller);
  assert.equal(teller.image, `stellar-teller:${version}`);
  assert.equal(teller.read_only, true);
  assert.deepEqual(teller.cap_drop, ['ALL']);
  assert.equal(teller.ulimits?.core, 0);
});

test('compose gives secrets as files alone, and each is one that make-secrets.sh makes', (t) => {
  for (const { environment = {} } of Object.values(compose.services))
    for (const name of Object.keys(environment))
      assert.doesNotMatch(name, /(MASTER_KEY|PASSWORD|DATABASE_URL)$/);
  if (process.geteuid?.() !== 0) return t.skip('make-secrets.sh gives files to other users: only root can');
  const folder = join(temporaryDirectory(), 'compose');
  mkdirSync(folder);
  copyFileSync(join(PACKAGING, 'compose/make-secrets.sh'), join(folder, 'make-secrets.sh'));
  const make = () => spawnSync('sh', [join(folder, 'make-secrets.sh')], { encoding: 'utf8' });
  assert.equal(make().status, 0);
  const files = Object.values(compose.secrets).map(({ file }) => join(folder, '..', file));
  const contents = files.map((file) => readFileSync(file, 'utf8'));
  for (const file of files) assert.equal(statSync(file).mode & 0o777, 0o400, file);
  const key = join(folder, 'secrets/master-key');
  assert.equal(statSync(key).uid, 10_001);
  assert.equal(Buffer.from(readFileSync(key, 'utf8').trim(), 'base64').length, 32);
  assert.equal(make().status, 0);
  assert.deepEqual(
    files.map((file) => readFileSync(file, 'utf8')),
    contents,
  );
});
