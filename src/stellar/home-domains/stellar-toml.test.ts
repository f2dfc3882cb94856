import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fc from 'fast-check';
import { areNaming, readLinkedCurrency, readStellarToml } from './stellar-toml.ts';

const ISSUER = 'GDHU6WRG4IEQXM5NZ4BMPKOXHW76MZM4Y2IEMFDVXBSDP6SJY4ITNPP2';
const OTHER = 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';
const EURC = { code: 'EURC', issuer: ISSUER };

const entry = (fields: Record<string, unknown>) =>
  [
    '[[CURRENCIES]]',
    ...Object.entries(fields).map(([name, value]) => `${name} = ${JSON.stringify(value)}`),
    '',
  ].join('\n');
const namesEurc = (...entries: Record<string, unknown>[]) =>
  areNaming(readStellarToml(entries.map(entry).join('\n')).currencies, EURC);

test('an asset is named by an entry with its code and its issuer, and by nothing less', () => {
  assert.ok(namesEurc({ code: 'EURC', issuer: ISSUER }));
  assert.ok(namesEurc({ code: 'USDC', issuer: OTHER }, { code: 'EURC', issuer: ISSUER, status: 'live' }));
  for (const fields of [
    { code: 'EURC', issuer: OTHER },
    { code: 'EURC' },
    { issuer: ISSUER },
    { code: 'eurc', issuer: ISSUER },
    { code: 'EURC ', issuer: ISSUER },
    { code: ['EURC'], issuer: ISSUER },
    { code: 'EURC', issuer: [ISSUER] },
    { code: 'EURC', issuer: ISSUER.toLowerCase() },
    { code: 'EURC', contract: ISSUER },
  ])
    assert.ok(!namesEurc(fields), JSON.stringify(fields));
  assert.ok(!namesEurc());
  assert.ok(!namesEurc({ code: 'EURC', issuer: OTHER }, { code: 'USDC', issuer: ISSUER }), 'of two entries');
});

test('an issuer that is one character short, as many files have it, names nothing', () => {
  assert.ok(!namesEurc({ code: 'EURC', issuer: ISSUER.slice(0, -1) }));
  const short = { code: 'EURC', issuer: ISSUER.slice(0, -1) };
  const { currencies } = readStellarToml(entry({ code: 'EURC', issuer: short.issuer }));
  assert.ok(!areNaming(currencies, short), 'not even itself');
});

test('an entry that says dead or test does not confirm, nor does another one beside it', () => {
  const live = { code: 'EURC', issuer: ISSUER };
  for (const status of ['dead', 'test', ' DEAD ', 'Test']) {
    assert.ok(!namesEurc({ ...live, status }), status);
    assert.ok(!namesEurc(live, { ...live, status }), status);
    assert.ok(namesEurc(live, { code: 'USDC', issuer: OTHER, status }), status);
  }
  for (const status of ['live', 'private', '']) assert.ok(namesEurc({ ...live, status }), status);
});

test('a code_template names the codes that have any character where it has a question mark', () => {
  const corn = (code: string, code_template = 'CORN????????') =>
    areNaming(readStellarToml(entry({ code_template, issuer: ISSUER })).currencies, { code, issuer: ISSUER });
  assert.ok(corn('CORN20180604'));
  assert.ok(corn('EURC', 'EUR?'));
  for (const code of ['CORN', 'CORN2018060', 'KORN20180604']) assert.ok(!corn(code), code);
  for (const template of ['EUR*', '.???', 'EUR', 'EURC?', '?????????????'])
    assert.ok(!corn('EURC', template), template);
});

test('an entry with a link and nothing else gives its link, and the linked file has one entry', () => {
  const url = 'https://example.com/.well-known/EURC.toml';
  assert.deepEqual(readStellarToml(entry({ toml: url })), { currencies: [], links: [url] });
  const linked = readLinkedCurrency(`code = "EURC"\nissuer = "${ISSUER}"\nstatus = "dead"\n`);
  assert.deepEqual(linked, { code: 'EURC', issuer: ISSUER, is_live: false });
  assert.equal(readLinkedCurrency(`toml = "${url}"`), null, 'which links no further');
});

test('what a real file has beside the asset does not disturb', () => {
  const text = `\uFEFF# comment
VERSION="2.7.0"
NETWORK_PASSPHRASE = 'Public Global Stellar Network ; September 2015'
ACCOUNTS=["${OTHER}"]\r
[DOCUMENTATION]
ORG_NAME = "Größe 🪙"
[[PRINCIPALS]]
name = "A"
[[CURRENCIES]]
code = "EURC"
issuer = "${ISSUER}"
display_decimals = 2
max_number = 99999999999999999999
conditions = """
many
lines"""
`;
  assert.ok(areNaming(readStellarToml(text).currencies, EURC));
});

test('a file of another shape has no entries, and what is no TOML is an error', () => {
  for (const text of [
    '',
    'a = 1',
    'CURRENCIES = 1',
    'CURRENCIES = [1, "x", [2]]',
    '[CURRENCIES]\ncode = "EURC"',
    '[[currencies]]',
  ])
    assert.deepEqual(readStellarToml(text), { currencies: [], links: [] }, text);
  for (const text of [
    '<html>',
    '[[CURRENCIES]',
    'a',
    `a = ${'['.repeat(50_000)}`,
    `a = ${'{a='.repeat(30_000)}`,
    'a = 1\na = 2',
  ])
    assert.throws(() => readStellarToml(text), Error, text.slice(0, 20));
});

test('names of JavaScript objects in a file are names like any other', () => {
  const text = `[__proto__]\nCURRENCIES = 1\n[constructor]\n${entry({ code: 'EURC', issuer: ISSUER, __proto: 1 })}__proto__ = "x"\n`;
  assert.ok(areNaming(readStellarToml(text).currencies, EURC));
  assert.deepEqual(readStellarToml('[[__proto__.CURRENCIES]]\ncode = "EURC"').currencies, []);
  assert.equal(({} as Record<string, unknown>).CURRENCIES, undefined);
});

test('no text makes the reader hang or fail in another way than by an Error', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.constantFrom(
          '[[CURRENCIES]]',
          '[',
          ']',
          '{',
          '}',
          '"',
          "'",
          '"""',
          '\\',
          '=',
          '.',
          ',',
          '\n',
          '#',
          'code',
          'issuer',
          '1',
          '-',
          ' ',
          `"${ISSUER}"`,
        ),
      ),
      (parts) => {
        try {
          readStellarToml(parts.join(''));
        } catch (error) {
          assert.ok(error instanceof Error);
        }
      },
    ),
    { numRuns: 2_000 },
  );
});
