/** What `npm run build` writes: the npm package, from which the container image is made too. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { startRunningService } from '../support/running-service.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const DIST = join(ROOT, 'dist');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

type Packages = Record<string, { version?: string; integrity?: string; dev?: boolean; link?: boolean }>;

run(process.execPath, 'scripts/build.ts');
const packages = (file: string) => (JSON.parse(read(file)) as { packages: Packages }).packages;
const pinned = Object.entries(packages('dist/npm-shrinkwrap.json')).filter(([path]) => path !== '');
const installed_mb = install();
const packed = packedFiles();

const world = await startRunningService({}, { embedded: true, program: join(DIST, 'bin', 'teller.js') });
after(async () => {
  await world.stop();
  rmSync(join(DIST, 'node_modules'), { recursive: true });
});

describe('the npm package', () => {
  it('has compiled code, and nothing that only the checkout needs', () => {
    for (const file of ['bin/teller.js', 'src/main.js', 'npm-shrinkwrap.json', 'sbom.cdx.json', 'LICENSE'])
      assert.ok(packed.includes(file), file);
    const allowed =
      /^(bin\/|src\/.*\.js$|sandbox\/.*\.(js|html|css|svg)$|migrations\/.*\.sql$|docs\/guides\/|packaging\/systemd\/|dashboard\/(dist|src\/shell\/icon\.svg))|^[^/]*\.(md|json)$|^LICENSE$/;
    assert.deepEqual(
      packed.filter(
        (file) => !allowed.test(file) || /\.test\.|testing\/|(^|\/)\.|master-key$|\.ts$/.test(file),
      ),
      [],
    );
  });

  it('starts by its own name, and installs no development tool', () => {
    const manifest = JSON.parse(read('dist/package.json'));
    assert.equal(manifest.bin['stellar-teller'], 'bin/teller.js');
    for (const field of ['private', 'devDependencies', 'workspaces', 'overrides'])
      assert.equal(manifest[field], undefined, field);
    assert.deepEqual(manifest.scripts, { prepare: 'node bin/trim-packages.js' });
    const { dependencies } = JSON.parse(read('package.json'));
    assert.deepEqual(manifest.dependencies, dependencies);
  });

  it('pins each dependency of a dependency, to the version and hash that were tested', () => {
    const ours = packages('package-lock.json');
    assert.ok(pinned.length > 150);
    for (const [path, { version, integrity, dev }] of pinned) {
      assert.match(integrity ?? '', /^sha512-/, path);
      assert.deepEqual([version, integrity, dev], [ours[path]?.version, ours[path]?.integrity, undefined]);
    }
  });

  it('takes no more than 350 MB with its dependencies', () => {
    assert.ok(installed_mb <= 350, `${installed_mb} MB`);
  });

  it('has a bill of materials that names each of them, with the same bytes each time', () => {
    const bill = JSON.parse(read('dist/sbom.cdx.json'));
    assert.equal(bill.bomFormat, 'CycloneDX');
    const named = new Set(bill.components.map(({ purl }: { purl: string }) => decodeURIComponent(purl)));
    assert.ok(named.has(`pkg:npm/react@${JSON.parse(read('dashboard/package.json')).devDependencies.react}`));
    for (const [path, { version }] of pinned)
      assert.ok(named.has(`pkg:npm/${path.replace(/^.*node_modules\//, '')}@${version}`), path);
    const before = hashOf('dist/sbom.cdx.json');
    run(process.execPath, 'scripts/sbom.ts');
    assert.equal(hashOf('dist/sbom.cdx.json'), before);
  });

  it('runs: a deposit, a withdrawal, the dashboard, the reference, the icon', async () => {
    const wallet = await world.newWallet();
    const payer = await world.ledger.fund();
    const { hash } = await world.ledger.pay(payer, wallet.account, 50n);
    assert.equal((await world.depositsOf(wallet, hash)).length, 1);
    const destination = payer.publicKey();
    const { status, body } = await world.withdraw(wallet, { destination, amount_stroops: 7n });
    assert.deepEqual([status, body.data.status], [201, 'confirmed']);
    for (const [path, content] of [
      ['/', /<div id="root">/],
      ['/docs/', /Your first deposit|scalar/],
      ['/favicon.ico', /<svg/],
      ['/openapi.json', /"openapi"/],
    ] as const) {
      const answer = await fetch(new URL(path, world.service.url));
      assert.equal(answer.status, 200, path);
      assert.match(await answer.text(), content, path);
    }
    const page = await fetch(new URL('/', world.service.rpc_url), { headers: { accept: 'text/html' } });
    assert.match(await page.text(), /<title>/);
  });
});

/**
 * Lays the pinned packages into `dist/`, as `npm ci --omit=dev` there would: the service below runs with them alone.
 * Returns the MB that they take with the package.
 */
function install(): number {
  for (const [path] of pinned) {
    const target = join(DIST, path);
    if (!existsSync(join(ROOT, path)) || existsSync(target)) continue; // of another machine; inside one that is there
    mkdirSync(dirname(target), { recursive: true });
    run('cp', '--archive', '--link', join(ROOT, path), target);
  }
  run(process.execPath, join(DIST, 'bin', 'trim-packages.js'));
  return Number.parseInt(run('du', '--summarize', '--block-size=1M', DIST), 10);
}

/** The paths that npm would publish. */
function packedFiles(): string[] {
  const npm = process.env.npm_execpath;
  const [command, args] = npm && existsSync(npm) ? [process.execPath, [npm]] : ['npm', []];
  const text = run(command, ...args, 'pack', DIST, '--dry-run', '--json', '--ignore-scripts');
  const [{ files }] = JSON.parse(text) as [{ files: { path: string }[] }];
  return files.map(({ path }) => path);
}

function run(command: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: ROOT, encoding: 'utf8' });
  assert.equal(status, 0, `${command} ${args.join(' ')}: ${stderr}`);
  return stdout;
}

function hashOf(file: string): string {
  return createHash('sha256').update(read(file)).digest('hex');
}
