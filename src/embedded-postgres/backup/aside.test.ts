/** Which folders beside a cluster a restore removes. */
import { strict as assert } from 'node:assert';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { asideFolderOf, makeAsideFolder, removeAside, removeLeftAside } from './aside.ts';

const root = mkdtempSync(join(tmpdir(), 'aside-'));
after(() => rmSync(root, { recursive: true }));

/** The place of a cluster in a folder of its own, with the copy of a killed restore beside it. */
function place(name: string): { cluster_dir: string; left: string } {
  mkdirSync(join(root, name));
  const cluster_dir = join(root, name, 'postgres');
  const left = asideFolderOf(cluster_dir);
  makeAsideFolder(left);
  return { cluster_dir, left };
}

test('a restore removes the copies of killed restores, also one that was killed as it began', async () => {
  const { cluster_dir } = place('left');
  mkdirSync(asideFolderOf(cluster_dir)); // killed before the marker
  await removeLeftAside(cluster_dir);
  assert.deepEqual(readdirSync(join(root, 'left')), []);
});

for (const [what, suffix] of [
  ['that a person has named like a copy', 'old'],
  ['of the exact form that no restore has marked', '0123abcd'],
])
  test(`a restore refuses a folder ${what}, and removes nothing`, async () => {
    const { cluster_dir, left } = place(`${suffix}`);
    const own = `${cluster_dir}.restore-${suffix}`;
    mkdirSync(own);
    writeFileSync(join(own, 'PG_VERSION'), '18');
    await assert.rejects(removeLeftAside(cluster_dir), {
      message: `${own} has the name of an unfinished restore, but "teller restore" did not make it. Move it away, or give it another name. Nothing was restored.`,
    });
    await removeAside(own);
    assert(existsSync(join(own, 'PG_VERSION')));
    assert(existsSync(left), 'nor a copy that is ours');
  });

test('a restore follows no link to a copy', async () => {
  const { cluster_dir, left } = place('link');
  symlinkSync(left, asideFolderOf(cluster_dir));
  await assert.rejects(removeLeftAside(cluster_dir), /did not make it/);
  assert(existsSync(left));
});
