import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { newRecoveryCodes, recoveryCodeHash } from './recovery-codes.ts';

test('ten codes of 128 random bits, in groups', () => {
  const codes = Array.from({ length: 10 }, newRecoveryCodes).flat();
  assert.equal(new Set(codes).size, 100);
  for (const code of codes) assert.match(code, /^(?:[A-Z2-7]{5}-){5}[A-Z2-7]$/);
});

test('a code is the same however it is typed, and no two codes are', () => {
  const [code = '', other = ''] = newRecoveryCodes();
  const fullWidth = (text: string) =>
    text.replaceAll(/[!-~]/g, (each) => String.fromCodePoint((each.codePointAt(0) ?? 0) + 0xfee0));
  const same = [
    code,
    code.toLowerCase(),
    code.replaceAll('-', ''),
    ` ${code.replaceAll('-', ' ')}\n`,
    fullWidth(code),
    fullWidth(code.toLowerCase()),
  ];
  for (const typed of same) assert.deepEqual(recoveryCodeHash(typed), recoveryCodeHash(code));
  assert.notDeepEqual(recoveryCodeHash(other), recoveryCodeHash(code));
});
