import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { mailedName, mailedUrl } from './mailed-name.ts';

test('a name that is or reads as a link is not mailed', () => {
  for (const name of [
    'https://evil.example',
    'Win at evil.example now',
    'EVIL.EXAMPLE',
    'www evil',
    'evil.co/x',
    '//evil',
    'ｅｖｉｌ．example',
    'evil。example',
    'ev\u200bil.exa\u00admple',
    'evil .example',
    'пример.рф',
    'xn--e1.example',
    '1.2.3.4/x',
    'pay@evil',
    'mailto:/x',
    'evil\u2024example',
  ])
    assert.equal(mailedName(name), null, name);
});

test('a name of a team is mailed as it is, on one line, and not longer than a name', () => {
  for (const name of [
    'Acme Inc.',
    'Müller & Söhne',
    '東京 Trading',
    'U.S. Desk',
    'Team 2.0',
    "O'Neil: ops",
    'A/B',
  ])
    assert.equal(mailedName(name), name);
  assert.equal(mailedName('Two\r\nlines\u202e'), 'Two lines');
  assert.equal(mailedName(`${'a'.repeat(41)}`), `${'a'.repeat(40)}…`);
});

test('a URL is mailed as text that is no link', () => {
  assert.equal(mailedUrl('https://shop.example:8443/a.b'), 'https[:]//shop[.]example[:]8443/a[.]b');
});
