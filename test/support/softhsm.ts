/** A token of SoftHSM with an AES key, where the machine has SoftHSM and pkcs11js. */
import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Pkcs11Settings } from '../../src/vault/providers/pkcs11-messages.ts';
import { temporaryDirectory } from './service.ts';

const MODULE = '/usr/lib/softhsm/libsofthsm2.so';
const PIN = '1234';

/** Null when it can be had. */
export function whyNoSoftHsm(): string | null {
  if (!existsSync(MODULE)) return 'SoftHSM is not there (Debian: softhsm2)';
  try {
    createRequire(import.meta.url)('pkcs11js');
    return null;
  } catch {
    return 'pkcs11js is not there (npm run test:providers installs it)';
  }
}

/** Makes the token. `tokens`: the folder that it is in. */
export function makeSoftHsm(): Pkcs11Settings & { tokens: string } {
  const dir = temporaryDirectory();
  const [tokens, pin_file, conf] = ['tokens', 'pin', 'softhsm2.conf'].map((name) => join(dir, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(tokens);
  writeFileSync(conf, `directories.tokendir = ${tokens}\nlog.level = ERROR\n`);
  process.env.SOFTHSM2_CONF = conf; // the library reads it in the process that has the library
  writeFileSync(pin_file, PIN, { mode: 0o600 });
  run('softhsm2-util', ['--init-token', '--free', '--label', 'teller', '--pin', PIN, '--so-pin', '5678']);
  run(process.execPath, ['-e', MAKE_KEY]);
  return { module: MODULE, token_label: 'teller', key_label: 'wallets', pin_file, tokens };
}

function run(command: string, args: string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
}

const MAKE_KEY = `
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
