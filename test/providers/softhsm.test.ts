/** PKCS#11 with SoftHSM: a real module, a real token, and what it says when it is taken away. */
import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { KeyProvider } from '../../src/vault/providers/key-provider.ts';
import { openPkcs11 } from '../../src/vault/providers/pkcs11.ts';
import type { Pkcs11Settings } from '../../src/vault/providers/pkcs11-messages.ts';
import { temporaryDirectory } from '../support/service.ts';

const MODULE = '/usr/lib/softhsm/libsofthsm2.so';
const CONTEXT = { id: 'wal_1', public_key: randomBytes(32) };
const PIN = '1234';

function whyNot(): string | false {
  if (!existsSync(MODULE)) return 'SoftHSM is not there (Debian: softhsm2)';
  try {
    createRequire(import.meta.url)('pkcs11js');
    return false;
  } catch {
    return 'pkcs11js is not there (npm run test:providers installs it)';
  }
}

describe('PKCS#11 by SoftHSM', { skip: whyNot() }, () => {
  const dir = temporaryDirectory();
  const tokens = join(dir, 'tokens');
  const pin_file = join(dir, 'pin');
  const settings: Pkcs11Settings = { module: MODULE, token_label: 'teller', key_label: 'wallets', pin_file };
  let provider: KeyProvider;

  before(() => {
    mkdirSync(tokens);
    writeFileSync(join(dir, 'softhsm2.conf'), `directories.tokendir = ${tokens}\nlog.level = ERROR\n`);
    process.env.SOFTHSM2_CONF = join(dir, 'softhsm2.conf');
    writeFileSync(pin_file, PIN, { mode: 0o600 });
    const init = ['--init-token', '--free', '--label', 'teller', '--pin', PIN, '--so-pin', '5678'];
    const made = spawnSync('softhsm2-util', init, { encoding: 'utf8' });
    assert.equal(made.status, 0, made.stderr);
    makeKey();
    provider = openPkcs11(settings);
  });
  after(() => provider.close());

  /** In a process of its own: a process has one owner of the module. */
  function makeKey(): void {
    const program = `
      const p = require('pkcs11js'); const m = new p.PKCS11(); m.load('${MODULE}'); m.C_Initialize();
      const slot = m.C_GetSlotList(true).find((s) => m.C_GetTokenInfo(s).label.trim() === 'teller');
      const session = m.C_OpenSession(slot, p.CKF_SERIAL_SESSION | p.CKF_RW_SESSION);
      m.C_Login(session, p.CKU_USER, '${PIN}');
      m.C_GenerateKey(session, { mechanism: p.CKM_AES_KEY_GEN }, [
        { type: p.CKA_CLASS, value: p.CKO_SECRET_KEY }, { type: p.CKA_KEY_TYPE, value: p.CKK_AES },
        { type: p.CKA_VALUE_LEN, value: 32 }, { type: p.CKA_LABEL, value: 'wallets' },
        { type: p.CKA_TOKEN, value: true }, { type: p.CKA_PRIVATE, value: true },
        { type: p.CKA_SENSITIVE, value: true }, { type: p.CKA_EXTRACTABLE, value: false },
        { type: p.CKA_ENCRYPT, value: true }, { type: p.CKA_DECRYPT, value: true }]);`;
    const { status, stderr } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  }

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
    renameSync(tokens, `${tokens}.away`);
    mkdirSync(tokens);
    await assert.rejects(unwrap(wrapped), { fault: 'away' });
    renameSync(tokens, `${tokens}.empty`);
    renameSync(`${tokens}.away`, tokens);
    assert.deepEqual(await unwrap(wrapped), data_key);
  });

  it('denies a wrong PIN, and is not asked with it again', async () => {
    const wrong = join(dir, 'wrong-pin');
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
