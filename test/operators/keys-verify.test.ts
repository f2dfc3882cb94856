/** `teller keys verify` proves that the service can sign for each of its accounts, beside the running service. */
import { strict as assert } from 'node:assert';
import { randomBytes } from 'node:crypto';
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { firesIn, hasPromtool } from '../support/firing-alerts.ts';
import { sampleOf } from '../support/metrics-text.ts';
import { startRunningService } from '../support/running-service.ts';
import { teller, temporaryDirectory } from '../support/service.ts';

const KEY_JOURNAL = join(temporaryDirectory(), 'key-journal');
const world = await startRunningService({ KEY_JOURNAL });
after(() => world.stop());
const { environment } = world;

const verify = (env: Record<string, string> = {}) => teller(['keys', 'verify'], { ...environment, ...env });
const sealedSeeds = async (): Promise<Buffer[]> =>
  (await world.query('select sealed_seed from wallets')).map(({ sealed_seed }) => sealed_seed);

it('verifies wallets and the lines of the key journal, and shows no seed', async () => {
  const wallets = [await world.newWallet(), await world.newWallet(), await world.newWallet()];
  const { code, output } = await verify({ KEY_JOURNAL });
  assert.match(
    output,
    /^Verified 3 wallets, \d+ channel accounts, \d+ treasuries, \d+ lines of the key journal: every sealed seed gives its public key\. Opened with key (\w{8}); key \1 seals\.\n$/m,
  );
  assert.equal(code, 0);
  assert.equal(wallets.length, 3);
  for (const sealed of await sealedSeeds()) assert(!output.includes(sealed.toString('hex')));
});

it('names a wallet whose sealed seed was changed, and one that has the seed of another', async () => {
  const [one, other, third] = [await world.newWallet(), await world.newWallet(), await world.newWallet()];
  const keep = await world.query('select id, sealed_seed from wallets');
  await world.query(
    `update wallets set sealed_seed = (select sealed_seed from wallets where id = $1) where id = $2`,
    [one.id, other.id],
  );
  await world.query(
    'update wallets set sealed_seed = set_byte(sealed_seed, 40, get_byte(sealed_seed, 40) # 1) where id = $1',
    [third.id],
  );
  const { code, output } = await verify();
  assert.equal(code, 1);
  for (const { id, account } of [other, third])
    assert(output.includes(`${id} in the database: its sealed seed does not give ${account}\n`), output);
  assert(!output.includes(one.id));
  assert.match(output, /: 2 do not open\. Opened with key \w{8}; key \w{8} seals\.\n$/);
  for (const { id, sealed_seed } of keep)
    await world.query('update wallets set sealed_seed = $2 where id = $1', [id, sealed_seed]);
  assert.equal((await verify()).code, 0);
});

it('makes no key journal at a path that is mistyped', async () => {
  const mistyped = join(temporaryDirectory(), 'none');
  const { code, output } = await teller(['keys'], { ...environment, KEY_JOURNAL: mistyped });
  assert.equal(code, 1);
  assert.match(output, /There is no key journal at .*none\./);
  assert(!existsSync(mistyped));
});

it('refuses another master key', async () => {
  const another = await verify({ MASTER_KEY: randomBytes(32).toString('base64') });
  assert.equal(another.code, 1);
  assert.match(another.output, /MASTER_KEY is not the one that sealed the wallets of this database/);
});

it('a key journal that cannot be written to is named by /readyz, a metric and an alert, until it can', async () => {
  const said = async () => (await world.service.checks()).keys;
  const writable = async () => sampleOf(await world.service.metrics(), 'teller_key_journal_writable');
  renameSync(KEY_JOURNAL, `${KEY_JOURNAL}.away`);
  const message = 'the key journal cannot be written to, so that no wallet can be made (it is not there)';
  await eventually('the reason', async () => (await said())?.message === message);
  const strangers = (await world.api('GET', '/readyz')).body.data.keys;
  assert.deepEqual(strangers, { ok: false, message: message.replace(/ \(.*/, '') });
  await eventually('the metric', async () => (await writable()) === 0);
  const during = await world.service.metrics();
  renameSync(`${KEY_JOURNAL}.away`, KEY_JOURNAL);
  await eventually('readiness', async () => (await said())?.ok);
  await eventually('the metric', async () => (await writable()) === 1);
  if (hasPromtool()) {
    const fires = firesIn('TellerKeyJournalUnwritable', during, await world.service.metrics());
    assert.deepEqual(fires, [true, false]);
  }
});
