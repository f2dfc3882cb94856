/** `rewrap` beside another terminal in which the key provider is turned off: nothing is noted that is not so. */
import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { type FakeKms, startFakeKms } from '../../test/support/fake-kms.ts';
import { type InProcessService, startInProcess } from '../../test/support/in-process-service.ts';
import { turnProviderOff } from './key-provider.ts';
import { rewrapKeys } from './rewrap-keys.ts';
import { followSealingKey } from './sealing-key.ts';

let kms: FakeKms;
let world: InProcessService;

before(async () => {
  kms = await startFakeKms();
  process.env.AWS_ACCESS_KEY_ID = kms.env.AWS_ACCESS_KEY_ID;
  process.env.AWS_SECRET_ACCESS_KEY = kms.env.AWS_SECRET_ACCESS_KEY;
  world = await startInProcess({ ...kms.env, CHANNELS_MAX: '0' });
  await world.wallet();
});
after(async () => {
  await world.close();
  await kms.close();
});

const providerIsLeft = async () =>
  (await world.deps.db.selectFrom('key_providers').select('left_at').executeTakeFirstOrThrow()).left_at !==
  null;
const CHANGED = /Another master key or key provider has begun to seal.*Run "teller keys rewrap" again/;

test('a provider that is turned off during a run is not noted as left while seeds need it', async () => {
  assert(await turnProviderOff(world.deps));
  await assert.rejects(rewrapKeys(world.deps), CHANGED);
  assert(!(await providerIsLeft()));

  await followSealingKey(world.deps);
  const { resealed, is_done } = await rewrapKeys(world.deps);
  assert(resealed > 0 && is_done);
  assert(await providerIsLeft());
});
