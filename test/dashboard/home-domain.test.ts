import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { homeDomainWords } from '../../dashboard/src/pages/assets/home-domain-words.ts';

const plain = (text: string | null) => text?.replace(/[\u2066-\u2069]/g, '') ?? null;
const words = (home_domain_check: Parameters<typeof homeDomainWords>[0]['home_domain_check']) =>
  plain(homeDomainWords({ home_domain: 'example.com', home_domain_check }));

test('only a confirmation is worded as one; everything else says that anybody can name any domain', () => {
  assert.equal(words('confirmed'), 'example.com confirms this asset.');
  assert.match(words('not_confirmed') ?? '', /example\.com, which does not name this asset\. Anybody/);
  assert.match(words('unreachable') ?? '', /example\.com, whose stellar\.toml could not be read\. Anybody/);
  assert.match(words(null) ?? '', /names example\.com\. Anybody/);
});

test('an issuer without a domain has no words', () => {
  assert.equal(homeDomainWords({ home_domain: null, home_domain_check: null }), null);
});
