/** PKCS#11 with SoftHSM: a real module, a real token, and what it says when it is taken away. */
import { strict as assert } from 'node:assert';
import { randomBytes } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { KeyProvider } from '../../src/vault/providers/key-provider.ts';
import { openPkcs11 } from '../../src/vault/providers/pkcs11.ts';
import type { Pkcs11Settings } from '../../src/vault/providers/pkcs11-messages.ts';
import { temporaryDirectory } from '../support/service.ts';
import { makeSoftHsm, whyNoSoftHsm } from '../support/softhsm.ts';

const CONTEXT = { id: 'wal_1', public_key: randomBytes(32) };
const missing = whyNoSoftHsm();

describe('PKCS#11 by SoftHSM', { skip: missing ?? false }, () => {
  let settings: ReturnType<typeof makeSoftHsm>;
  let provider: KeyProvider;

  before(() => {
    settings = makeSoftHsm();
    provider = openPkcs11(settings);
  });
  after(() => provider.close());

  const make = (context = CONTEXT, from = provider) =>
    from.makeDataKey(context, (data_key, wrapped) => ({ data_key: Buffer.from(data_key), wrapped }));
  const unwrap = (wrapped: Buffer, context = CONTEXT) =>
    provider.unwrapDataKey(wrapped, context, (data_key) => Buffer.from(data_key));

  it('unwraps what it has wrapped, for the same owner only', async () => {
    const { data_key, wrapped } = await make();
    assert.deepEqual(await unwrap(wrapped), data_key);
    await assert.rejects(unwrap(wrapped, { ...CONTEXT, id: 'wal_2' }), { fault: 'refused' });
    await assert.rejects(unwrap(wrapped, { ...CONTEXT, public_key: randomBytes(32) }), { fault: 'refused' });
    await assert.rejects(unwrap(randomBytes(61)), { fault: 'refused' });
  });

  it('answers many calls at once, each with its own key', async () => {
    const contexts = Array.from({ length: 200 }, (_, index) => ({ ...CONTEXT, id: `wal_${index}` }));
    const made = await Promise.all(contexts.map((each) => make(each)));
    const began_ms = performance.now();
    const opened = await Promise.all(made.map(({ wrapped }, index) => unwrap(wrapped, contexts[index])));
    console.log(`200 unwrapped by SoftHSM: ${((performance.now() - began_ms) / 200).toFixed(2)} ms each`);
    assert.deepEqual(
      opened,
      made.map(({ data_key }) => data_key),
    );
  });

  it('is away while its token is gone, and is used again when it is back', async () => {
    const { data_key, wrapped } = await make();
    const { tokens } = settings;
    renameSync(tokens, `${tokens}.away`);
    mkdirSync(tokens);
    await assert.rejects(unwrap(wrapped), { fault: 'away' });
    renameSync(tokens, `${tokens}.empty`);
    renameSync(`${tokens}.away`, tokens);
    assert.deepEqual(await unwrap(wrapped), data_key);
  });

  it('denies a wrong PIN, and is not asked with it again', async () => {
    const wrong = join(temporaryDirectory(), 'wrong-pin');
    writeFileSync(wrong, '9999', { mode: 0o600 });
    const other = openPkcs11({ ...settings, pin_file: wrong });
    for (let i = 0; i < 2; i++) await assert.rejects(make(CONTEXT, other), { fault: 'denied' });
    await other.close();
  });

  it('tells a key, a token and a library that are not there', async () => {
    const cases: [Partial<Pkcs11Settings>, string][] = [
      [{ key_label: 'none' }, 'unusable'],
      [{ token_label: 'none' }, 'away'],
      [{ module: '/nowhere.so' }, 'unusable'],
    ];
    for (const [changed, fault] of cases) {
      const other = openPkcs11({ ...settings, ...changed });
      await assert.rejects(make(CONTEXT, other), { fault });
      await other.close();
    }
  });
});
