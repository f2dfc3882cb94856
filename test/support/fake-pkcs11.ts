/** A token for tests on any machine; test/support/fake-pkcs11 has the package that stands for pkcs11js. */
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pkcs11Settings } from '../../src/vault/providers/pkcs11-messages.ts';
import { temporaryDirectory } from './service.ts';

type TokenFault = 'no token' | 'hang' | 'crash' | 'broken' | 'stale' | 'no right';

export type FakeToken = {
  settings: Pkcs11Settings;
  /** Sets the fault of every call from now on; null ends it. */
  fail(fault: TokenFault | null): void;
  logins(): number;
  /** The names of the variables that the module could read. */
  environment(): string[];
};

const DIR = temporaryDirectory();

/** The process of the module finds the package there. */
export const FAKE_PACKAGE_DIR = join(import.meta.dirname, 'fake-pkcs11');

export function createFakeToken({ pin = '1234' } = {}): FakeToken {
  const dir = mkdtempSync(join(DIR, 'token-'));
  const [module, pin_file, log] = ['module.json', 'pin', 'logins'].map((name) => join(dir, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(pin_file, `${pin}\n`, { mode: 0o600 });
  const fail = (fault: TokenFault | null) => writeFileSync(module, JSON.stringify({ fault, log }));
  fail(null);
  return {
    settings: { module, token_label: 'teller', key_label: 'wallets', pin_file },
    fail,
    environment: () => JSON.parse(readFileSync(`${module}.environment`, 'utf8')),
    logins: () => (existsSync(log) ? readFileSync(log, 'utf8').split('\n').length - 1 : 0),
  };
}
