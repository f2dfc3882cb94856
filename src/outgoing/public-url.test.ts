import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { GOOD_URLS, HOSTILE_URLS } from '../../test/support/webhook-urls.ts';
import { checkUrl, isAllowedAddress, isExemptHost, isPublicAddress, parseExemptions } from './public-url.ts';

const NONE = parseExemptions([]);

const isRefused = (url: string, exemptions = NONE) => 'refused' in checkUrl(url, exemptions);

test('every hostile URL is refused, with the reason', () => {
  for (const { trap, refused, urls } of HOSTILE_URLS) {
    for (const url of urls)
      assert.deepEqual(checkUrl(url, NONE), { refused }, `${trap}: ${JSON.stringify(url)}`);
  }
});

test('public http(s) URLs are accepted', () => {
  for (const url of GOOD_URLS) assert.deepEqual(checkUrl(url, NONE), { url: new URL(url) }, url);
});

test('there are at least 200 hostile and 40 good URLs, all different', () => {
  const hostile = new Set(HOSTILE_URLS.flatMap(({ urls }) => urls));
  assert(hostile.size >= 200, `${hostile.size}`);
  assert.equal(hostile.size, HOSTILE_URLS.flatMap(({ urls }) => urls).length);
  assert(GOOD_URLS.length >= 40 && new Set(GOOD_URLS).size === GOOD_URLS.length);
});

test('a hostile address is refused with https, a port and a path too, and as the URL parser spells it', () => {
  for (const { refused, urls } of HOSTILE_URLS) {
    for (const { hostname } of urls.flatMap((url) => URL.parse(url) ?? [])) {
      if (refused !== 'is not a public address') continue;
      assert.deepEqual(checkUrl(`https://${hostname}:8443/hook?x=1`, NONE), { refused }, hostname);
    }
  }
});

/** All entries of IANA's Special-Purpose Address registries in the versions that public-url.ts names, and multicast. */
const SPECIAL_BLOCKS = `
  0.0.0.0/8 0.0.0.0/32 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.0.0/29
  192.0.0.8/32 192.0.0.9/32 192.0.0.10/32 192.0.0.170/32 192.0.0.171/32 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24
  192.88.99.0/24 192.88.99.2/32 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24
  240.0.0.0/4 255.255.255.255/32 224.0.0.0/4
  ::1/128 ::/128 ::ffff:0:0/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 100:0:0:1::/64 2001::/23 2001::/32 2001:1::1/128
  2001:1::2/128 2001:1::3/128 2001:2::/48 2001:3::/32 2001:4:112::/48 2001:10::/28 2001:20::/28 2001:30::/28
  2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20 5f00::/16 fc00::/7 fe80::/10 ff00::/8
`
  .trim()
  .split(/\s+/);

test('no address of a special-purpose block is public, from its first to its last', () => {
  for (const block of SPECIAL_BLOCKS) {
    const [base, bits] = ipaddr.parseCIDR(block);
    const bytes = base.toByteArray();
    const filled = (fill: (index: number) => number) =>
      ipaddr.fromByteArray(
        bytes.map((byte, index) => {
          const host_mask = 0xff >> Math.min(8, Math.max(0, bits - index * 8));
          return byte | (fill(index) & host_mask);
        }),
      );
    for (const fill of [() => 0, () => 0xff, () => 0x55, (index: number) => index]) {
      assert(!isPublicAddress(filled(fill).toString()), `${filled(fill)} of ${block}`);
    }
  }
});

test('an IPv6 address outside of 2000::/3 is never public', () => {
  const group = fc.integer({ min: 0, max: 0xffff });
  const outside = group.filter((first) => first >> 13 !== 1);
  fc.assert(
    fc.property(outside, fc.array(group, { minLength: 7, maxLength: 7 }), (first, rest) => {
      return !isPublicAddress([first, ...rest].map((part) => part.toString(16)).join(':'));
    }),
  );
});

test('no IPv6 address that carries an IPv4 address in a translation form is public', () => {
  const octet = fc.integer({ min: 0, max: 255 });
  fc.assert(
    fc.property(fc.tuple(octet, octet, octet, octet), ([a, b, c, d]) => {
      const dotted = `${a}.${b}.${c}.${d}`;
      const hex = Buffer.of(a, b, c, d)
        .toString('hex')
        .replace(/(.{4})(.{4})/, '$1:$2');
      const forms = [
        `::ffff:${dotted}`,
        `::${dotted}`,
        `::ffff:0:${dotted}`,
        `64:ff9b::${dotted}`,
        `2002:${hex}::`,
      ];
      return forms.every((form) => !isPublicAddress(form));
    }),
  );
});

test('what is not an address at all is not public', () => {
  for (const text of ['', 'example.com', '1.2.3', '1.2.3.4.5', '::g', '0x8.8.8.8', '010.8.8.8', ' 8.8.8.8']) {
    assert(!isPublicAddress(text), text);
    assert(!isAllowedAddress(text, parseExemptions(['0.0.0.0/0', '::/0'])), text);
  }
});

test('an address with a scope is public never, and allowed only in an exempted block', () => {
  for (const address of ['fe80::1%eth0', '2606:4700::1%1', '2606:4700::1%']) {
    assert(!isPublicAddress(address), address);
    assert(!isAllowedAddress(address, NONE), address);
  }
  assert(isAllowedAddress('fe80::1%eth0', parseExemptions(['fe80::/10'])));
});

test('an exempted host is accepted under its own name and any port, and nothing else is', () => {
  const exemptions = parseExemptions(['localhost', 'Receiver.Internal', '127.0.0.1', '::1']);
  for (const url of [
    'http://localhost/',
    'https://localhost:3000/x',
    'http://LOCALHOST.:1/',
    'http://receiver.internal/',
    'http://127.0.0.1:9/',
    'http://2130706433/',
    'http://[::1]/',
    'http://[0::1]:80/',
  ]) {
    assert(!isRefused(url, exemptions), url);
  }
  for (const url of [
    'http://foo.localhost/',
    'http://other.internal/',
    'http://127.0.0.2/',
    'http://[::ffff:127.0.0.1]/',
    'http://user@localhost/',
    'ftp://localhost/',
  ]) {
    assert(isRefused(url, exemptions), url);
  }
});

test('an exempted host:port is accepted on that port only', () => {
  const exemptions = parseExemptions(['localhost:4000', '10.0.0.5:80', '[::1]:443', 'db:5432']);
  for (const url of [
    'http://localhost:4000/',
    'https://localhost:4000/',
    'http://10.0.0.5/',
    'https://[::1]/',
    'http://db:5432',
  ]) {
    assert(!isRefused(url, exemptions), url);
  }
  for (const url of [
    'http://localhost/',
    'http://localhost:4001/',
    'https://10.0.0.5/',
    'http://[::1]/',
    'http://db/',
  ]) {
    assert(isRefused(url, exemptions), url);
  }
});

test('an exempted block is for its addresses only: not for names, nor for mapped forms of them', () => {
  const exemptions = parseExemptions(['10.1.0.0/16', 'fd00:1::/32']);
  assert(!isRefused('http://10.1.2.3/', exemptions));
  assert(!isRefused('http://[fd00:1::5]:8080/', exemptions));
  assert(isAllowedAddress('10.1.255.255', exemptions));
  for (const url of [
    'http://10.2.0.1/',
    'http://[fd00:2::5]/',
    'http://[::ffff:10.1.2.3]/',
    'http://db.internal/',
  ]) {
    assert(isRefused(url, exemptions), url);
  }
});

test('a block exempts no name by its text, and no other notation of its addresses in IPv6', () => {
  const everything = parseExemptions(['0.0.0.0/0', '10.0.0.0/8']);
  for (const url of ['http://10.0.0.1.localhost/', 'http://10.local/', 'http://x10/', 'http://localhost/']) {
    assert(isRefused(url, everything), url);
  }
  for (const address of [
    '::ffff:10.0.0.1',
    '::10.0.0.1',
    '64:ff9b::10.0.0.1',
    '2002:a00:1::',
    '::1',
    'localhost',
    '',
  ]) {
    assert(!isAllowedAddress(address, everything), address);
  }
});

test('an exempted host exempts no address, no longer name and no part of it', () => {
  const exemptions = parseExemptions(['hook.internal', 'a.example.com:8080']);
  for (const url of [
    'http://xhook.internal/',
    'http://x.hook.internal/',
    'http://internal/',
    'http://hook.internal.local/',
    'http://hook%2einternal.localhost/',
    'http://hook.internal@127.0.0.1/',
    'http://127.0.0.1/hook.internal',
  ]) {
    assert(isRefused(url, exemptions), url);
  }
  assert(!isRefused('http://hook%2eINTERNAL/', exemptions), 'the same host');
  assert(!isAllowedAddress('10.0.0.1', exemptions));
  assert(isExemptHost(new URL('http://a.example.com:8080/'), exemptions));
  for (const url of [
    'http://a.example.com/',
    'https://a.example.com:8443/',
    'http://b.a.example.com:8080/',
  ]) {
    assert(!isExemptHost(new URL(url), exemptions), url);
  }
});

test('an invalid exemption is named', () => {
  for (const entry of [
    '10.0.0.0/99',
    'http://localhost',
    'a b',
    '',
    'localhost:',
    'host:99999x',
    'a/b',
    'user@host',
  ]) {
    assert.throws(() => parseExemptions([entry]), /is not a host/, entry);
  }
});
