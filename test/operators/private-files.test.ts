/** What the service writes is for its user alone, whatever the umask; as root it says what to do instead. */
import assert from 'node:assert/strict';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startService, type TestService, teller, temporaryDirectory } from '../support/service.ts';

const isRoot = process.geteuid?.() === 0;
const WARNING = /runs as root/g;

/** A process that `start` begins at once inherits a umask of 000. */
function withoutUmask<T>(start: () => T): T {
  const umask = process.umask(0);
  try {
    return start();
  } finally {
    process.umask(umask);
  }
}

describe('with a umask of 000', () => {
  const above = temporaryDirectory();
  const data_dir = join(above, 'made', 'data');
  const KEY_JOURNAL = join(data_dir, 'key-journal');
  let service: TestService;
  before(async () => {
    service = await withoutUmask(() => startService({ data_dir, env: { KEY_JOURNAL, LOG_LEVEL: 'trace' } }));
    const token = await service.login();
    const made = await service.api('POST', '/v1/wallets', { token, body: { name: 'w' } });
    assert.equal(made.status, 201, made.text);
    const env = { DATA_DIR: data_dir, PASSWORD: 'correct horse battery staple' };
    const beside = await withoutUmask(() => teller(['user', 'create', '--email', 'p@example.com'], env));
    assert.equal(beside.code, 0, beside.output);
  });
  after(() => service.stop());

  it('every file below DATA_DIR is 0600 and every folder 0700', () => {
    const names = readdirSync(data_dir, { recursive: true }).map(String);
    for (const name of [
      'master-key',
      'demo-login',
      'key-journal',
      'postgres-password',
      'postgres.log',
      'lock',
    ])
      assert.ok(names.includes(name), name);
    assert.ok(names.includes(join('sandbox', 'ledger.db')) && names.includes(join('postgres', 'PG_VERSION')));
    for (const name of names) {
      const stat = lstatSync(join(data_dir, name), { throwIfNoEntry: false }); // PostgreSQL removes files at any time
      if (stat === undefined) continue;
      assert.equal((stat.mode & 0o777).toString(8), stat.isDirectory() ? '700' : '600', name);
    }
  });

  it('DATA_DIR and the folders made above it can be read by nobody else', () => {
    // A database that root starts runs as another user, who must pass these folders.
    const mode = isRoot ? '711' : '700';
    for (const dir of [data_dir, join(above, 'made')])
      assert.equal((lstatSync(dir).mode & 0o777).toString(8), mode, dir);
  });

  it('the folder of the socket is 0700', () => {
    const [host = ''] = readFileSync(join(data_dir, 'postgres', 'postmaster.pid'), 'utf8')
      .split('\n')
      .slice(4);
    assert.equal(lstatSync(host).mode & 0o777, 0o700);
  });

  it('neither the output nor a command line nor an environment has the password of the database', () => {
    const password = readFileSync(join(data_dir, 'postgres-password'), 'utf8').trim();
    assert.ok(!service.output().includes(password));
    const shown = [];
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
      for (const name of ['cmdline', 'environ'])
        try {
          shown.push(readFileSync(join('/proc', pid, name), 'utf8'));
        } catch {} // it has ended, or belongs to another user
    assert.ok(shown.join().includes(data_dir), 'the processes are among them');
    assert.ok(!shown.join().includes(password));
  });

  it('as root the start warns once', { skip: isRoot ? false : 'needs root' }, () => {
    assert.equal(service.output().match(WARNING)?.length, 1);
    assert.match(service.output(), /Give it a user of its own, as the operating guide says/);
  });
});

it('a command says nothing about root', { skip: isRoot ? false : 'needs root' }, async () => {
  const { output } = await teller(['migrate'], { DATA_DIR: temporaryDirectory() });
  assert.doesNotMatch(output, WARNING);
});
