import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkUrl, isAllowedAddress, isPublicAddress, parseExemptions } from './public-url.ts';

const NONE = parseExemptions([]);

const isRefused = (url: string, exemptions = NONE) => 'refused' in checkUrl(url, exemptions);

const words = (text: string) => text.trim().split(/\s+/);

/** Hosts that mean this machine or a private network, in every spelling that a URL parser understands. */
const HOSTILE_HOSTS = words(`
  127.0.0.1 127.0.0.2 127.255.255.255 127.1 127.0.1 2130706433 0x7f000001 0x7f.1 0177.0.0.1 0177.1
  017700000001 0x7f.0x0.0x0.0x1 127.0.0.1. 0x7F.0.0.1 127.0x0.0.1 ①②⑦.⓪.⓪.① １２７.０.０.１ 127。0。0。1
  127．0．0．1 127｡0｡0｡1 %31%32%37.0.0.1 127%2e0%2e0%2e1
  0.0.0.0 0 0x0 00 0.1.2.3 10.0.0.1 10.255.255.255 012.0.0.1 0xa.1 167772161 100.64.0.1 100.127.255.255
  169.254.169.254 2852039166 0xa9fea9fe 0251.0376.0251.0376 169.254.169.254. 172.16.0.1 172.31.255.255
  192.0.0.1 192.0.0.170 192.0.2.1 192.31.196.1 192.52.193.1 192.88.99.1 192.168.0.1 192.168.255.255
  0xc0.0xa8.1 3232235521 192.175.48.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1
  239.255.255.255 240.0.0.1 255.255.255.255 4294967295 0xffffffff 037777777777
  [::] [::1] [0:0:0:0:0:0:0:1] [::0001] [::ffff:127.0.0.1] [::ffff:7f00:1] [::ffff:10.0.0.1]
  [::ffff:169.254.169.254] [::ffff:8.8.8.8] [0:0:0:0:0:ffff:7f00:1] [::127.0.0.1] [::7f00:1]
  [::a9fe:a9fe] [::8.8.8.8] [::ffff:0:127.0.0.1] [::ffff:0:7f00:1] [64:ff9b::127.0.0.1]
  [64:ff9b::7f00:1] [64:ff9b::808:808] [64:ff9b:1::1] [64:ff9b:1:ffff::a00:1] [fe80::1] [febf::1]
  [fec0::1] [fc00::1] [fd00::1] [fd12:3456:789a::1] [ff02::1] [ff0e::1] [100::1] [100:0:0:1::1]
  [2001::1] [2001:0:7f00:1::] [2001:2::1] [2001:10::1] [2001:20::1] [2001:1ff::1] [2001:db8::1]
  [2002:7f00:1::] [2002:a00:1::1] [2002:808:808::1] [3fff::1] [3fff:fff::1] [2620:4f:8000::1] [5f00::1]
  [4000::1] [1fff::1] [e000::1] [2606:4700::5efe:7f00:1] [2606:4700::200:5efe:10.0.0.1]
  [2a00:1450::5efe:8.8.8.8]
  localhost LOCALHOST localhost. LocalHost. foo.localhost foo.localhost. a.b.localhost printer.local
  printer.local. metadata.google.internal x.internal. router.home.arpa home.arpa ｌｏｃａｌｈｏｓｔ loc%61lhost
  intranet intranet. com. ip6-localhost kubernetes db
`);

const HOSTILE_URLS = [
  ...[
    'http:127.0.0.1',
    'http:///127.0.0.1',
    'http:/127.0.0.1',
    'http:\\\\127.0.0.1',
    'http://\\127.0.0.1/',
    'HTTP://127.1',
  ],
  ...[
    'http://127.0.\t0.1/',
    'http://127.0.0.1\n/',
    ' http://example.com/',
    'http://example.com/ ',
    'http://exa\tmple.com/',
  ],
  ...['http://example.com/\0', 'http://example.com/a b', 'http://\u007fexample.com/'],
  ...[
    'http://user@example.com/',
    'http://user:pass@example.com/',
    'http://:pass@example.com/',
    'http://@example.com/',
  ],
  ...[
    'http://example.com@127.0.0.1/',
    'https:\\\\user@example.com/',
    'http:user@example.com',
    'http://a%40b@example.com/',
  ],
  ...[
    'ftp://example.com/',
    'file:///etc/passwd',
    'gopher://example.com/',
    'ws://example.com/',
    'javascript:alert(1)',
  ],
  ...['data:text/plain,x', 'unix:/var/run/docker.sock', 'blob:http://example.com/x', 'mailto:a@example.com'],
  ...[
    '',
    '/',
    'example.com',
    '//example.com/',
    'www.example.com/hook',
    'http://',
    'https://',
    'http://?x',
    'http://#x',
  ],
  ...[
    'http://[::1',
    'http://::1/',
    'http://[fe80::1%25eth0]/',
    'http://1.2.3.4.5/',
    'http://256.1.1.1/',
    'http://0x100000000/',
  ],
  ...['http://example.com:99999/', 'http://example.com:x/', 'http://exa<mple.com/', 'http://..example.com/'],
  ...[
    'http://example..com/',
    'http://.example.com/',
    'http://example.com../',
    'http://[127.0.0.1]/',
    'http://%/',
  ],
];

const GOOD_URLS = words(`
  http://example.com https://example.com/ https://example.com./ https://EXAMPLE.com/Hook
  http://example.com:8080/x https://example.com/hooks?a=b&c=%20d#fragment https://hooks.example.co.uk/
  https://bücher.example/ https://例え.jp/ https://example.com/@user
  https://example.com/?next=http://127.0.0.1/ https://example.com/a:b@c https://xn--bcher-kva.example/
  https://localhost.example.com/ https://internal.example.com/ https://local.dev/
  https://mylocalhost.io/ https://notinternal.com/ https://10.example.com/ https://127.0.0.1.nip.io/
  https://a_b.example.com/ https://1.1.1.1/ http://8.8.8.8:443/ http://0x8.0x8.0x8.0x8/
  http://134744072/ http://9.255.255.255/ http://11.0.0.0/ http://100.63.255.255/ http://100.128.0.0/
  http://126.255.255.255/ http://128.0.0.1/ http://169.253.0.1/ http://172.15.0.1/ http://172.32.0.1/
  http://192.0.1.1/ http://192.167.0.1/ http://198.17.0.1/ http://198.20.0.1/ http://203.0.112.1/
  http://223.255.255.255/ http://[2606:4700:4700::1111]/ http://[2001:4860:4860::8888]:8080/
  http://[2a00:1450:4001::1]/ http://[2001:200::1]/ http://[2003::1]/ http://[2001:db7::1]/
  http://[3ffe::1]/ http://[2620:0:2d0::1]/ http://[2606:4700::5eff:1]/
`);

test('a URL whose host is this machine or a private network is refused, however it is spelt', () => {
  for (const host of HOSTILE_HOSTS) {
    for (const url of [`http://${host}/`, `https://${host}:8443/hook?x=1`]) assert(isRefused(url), url);
  }
});

test('a URL that is malformed, not http(s), or has userinfo or control characters is refused', () => {
  for (const url of HOSTILE_URLS) assert(isRefused(url), JSON.stringify(url));
});

test('public http(s) URLs are accepted', () => {
  for (const url of GOOD_URLS) assert.deepEqual(checkUrl(url, NONE), { url: new URL(url) }, url);
});

test('the reason of a refusal is told', () => {
  const reasons = [
    'ftp://example.com/',
    'http://a:b@example.com/',
    'http://10.0.0.1/',
    'http://db/',
    'nonsense',
  ];
  const told = reasons.map((url) => checkUrl(url, NONE));
  assert.deepEqual(told, [
    { refused: 'must begin with http:// or https://' },
    { refused: 'must not contain a user name or password' },
    { refused: 'is not a public address' },
    { refused: 'names a host that is not public' },
    { refused: 'is not a valid URL' },
  ]);
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
  assert(!isPublicAddress('fe80::1%eth0'));
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

test('an exemption that is none is named', () => {
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
    assert.throws(() => parseExemptions([entry]), /WEBHOOK_ALLOWED_HOSTS/, entry);
  }
});
