import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { shownUrl, shownUrls } from './shown-url.ts';

test('a URL is shown without user name, password, values of the query and fragment', () => {
  for (const [url, shown] of [
    ['https://example.com/hook', 'https://example.com/hook'],
    ['https://example.com', 'https://example.com/'],
    ['http://example.com:8080/a/b', 'http://example.com:8080/a/b'],
    ['https://user:secret@example.com/hook', 'https://example.com/hook'],
    ['https://secret@example.com/hook', 'https://example.com/hook'],
    ['https://example.com/hook?token=secret&shop=secret', 'https://example.com/hook?token=…&shop=…'],
    ['https://example.com/hook?token=sec=ret', 'https://example.com/hook?token=…'],
    ['https://example.com/hook?secret', 'https://example.com/hook?…'],
    ['https://example.com/hook?secret&a=', 'https://example.com/hook?…&a=…'],
    ['https://example.com/hook?', 'https://example.com/hook'],
    ['https://example.com/hook#secret', 'https://example.com/hook#…'],
  ] as const)
    assert.equal(shownUrl(url), shown, url);
});

test('a change of a hidden part is reported', () => {
  const [before, after] = ['https://example.com/?to=one', 'https://example.com/?to=two'];
  const shown = 'https://example.com/?to=…';
  assert.deepEqual(shownUrls(before, after), {
    before: { url: shown },
    after: { url: shown, url_changed: true },
  });
  assert.deepEqual(shownUrls(before, before), { before: { url: shown }, after: { url: shown } });
  assert.deepEqual(shownUrls(null, after), {
    before: { url: null },
    after: { url: shown, url_changed: true },
  });
});
