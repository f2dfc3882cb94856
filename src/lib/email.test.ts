import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { foldEmail, parseEmail } from './email.ts';

test('spellings of one address fold to one text', () => {
  for (const spellings of [
    ['ada@example.com', 'ADA@EXAMPLE.COM', ' Ada@Example.com\n', '\u00a0ada@example.com\ufeff'],
    ['νίκος@example.com', 'ΝΊΚΟΣ@example.com', 'νίκοσ@example.com', 'ΝΊΚΟΣ@EXAMPLE.COM'.normalize('NFD')],
    ['νικος.π@example.com', 'ΝΙΚΟΣ.Π@example.com'], // no final sigma for Unicode, one for people
    ['İ@example.com', 'i\u0307@example.com', 'İ@example.com'.toLowerCase()],
    ['é@example.com', 'E\u0301@example.com'],
    ['a@bücher.example', 'a@BU\u0308CHER.example', 'a@xn--bcher-kva.example', 'a@bücher。example'],
    ['a@straße.example', 'a@STRAẞE.example'],
  ])
    assert.deepEqual(new Set(spellings.map(foldEmail)).size, 1, spellings.map(foldEmail).join(' '));
});

test('other addresses stay others, in a Turkish locale too', () => {
  const others = ['i@x.example', 'ı@x.example', 'İ@x.example', 'í@x.example', 'ss@x.example', 'ß@x.example'];
  assert.equal(new Set(others.map(foldEmail)).size, others.length);
  assert.equal(foldEmail('INFO@x.example'), 'info@x.example');
  assert.notEqual(foldEmail('a@straße.example'), foldEmail('a@strasse.example'));
});

test('every letter is folded once: a folded address folds to itself, and NFC does not change it', () => {
  for (let point = 0; point < 0x11_0000; point++) {
    const letter = String.fromCodePoint(point);
    if (!/\p{Cased}|\p{M}|\p{CWL}/u.test(letter)) continue; // nothing else changes
    const address = `x${letter}y@example.com`;
    const folded = parseEmail(address)?.folded;
    if (folded === undefined) continue;
    assert.equal(foldEmail(folded), folded, point.toString(16));
    assert.equal(folded.normalize('NFC'), folded, point.toString(16));
  }
});

test('the address is kept as it was typed, without the space around it', () => {
  assert.equal(parseEmail(' Ada.Λ@Bücher.example ')?.email, 'Ada.Λ@Bücher.example');
  assert.equal(parseEmail(`${'a'.repeat(242)}@example.com`)?.email.length, 254);
});

for (const [what, texts] of Object.entries({
  'a format character': [
    'a\u200db@x.example',
    'a@x\u00ady.example',
    '\u202ea@x.example',
    'a\u2060@x.example',
  ],
  'what is not seen': [
    'a\ufe0f@x.example',
    'a\u034fb@x.example',
    'a\u3164@x.example',
    'a\u{e0041}@x.example',
  ],
  'a space or a control character': ['a b@x.example', 'a\u3000@x.example', 'a\0@x.example', 'a@x.exa\tmple'],
  'half a surrogate pair, or no character': ['a\ud800@x.example', 'a\uffff@x.example', 'a\ue000@x.example'],
  'what begins another address or a name': [
    'a,b@x.example',
    'A <a@x.example>',
    '"a"@x.example',
    'a@b@x.example',
  ],
  'no domain': ['a', 'a@', '@x.example', 'a@.example', 'a@x..example', 'a@x.example.', 'a@[127.0.0.1]'],
  'an IP address': ['a@127.0.0.1', 'a@127.1', 'a@0x7f.1', 'a@１２７.1'],
  'more than a host name': [
    'a@x.example/y',
    'a@x.example:25',
    'a@x.example?y',
    'a@x.%65xample',
    'a@x.example#y',
  ],
  'more than 254 characters': [`${'a'.repeat(243)}@example.com`],
}))
  test(`no e-mail address: ${what}`, () => {
    for (const text of texts) assert.equal(parseEmail(text), null, JSON.stringify(text));
    // A login compares them all the same, and finds nobody.
    for (const text of texts) assert.equal(parseEmail(foldEmail(text)), null, JSON.stringify(text));
  });
