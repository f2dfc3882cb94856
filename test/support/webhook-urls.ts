/** URLs that a webhook may not go to, by the trap that each group sets, and URLs that it may. */

const words = (text: string) => text.trim().split(/\s+/);
const atHosts = (hosts: string) => words(hosts).map((host) => `http://${host}/`);

const ADDRESS = 'is not a public address';
const NAME = 'names a host that is not public';

/** Each with the reason that the refusal names. */
export const HOSTILE_URLS: { trap: string; refused: string; urls: string[] }[] = [
  {
    trap: 'loopback in the spellings that a URL parser understands',
    refused: ADDRESS,
    urls: atHosts(`
    127.0.0.1 127.0.0.2 127.255.255.255 127.1 127.0.1 2130706433 0x7f000001 0x7F000001 0x7f.1 0177.0.0.1 0177.1
    017700000001 0x7f.0x0.0x0.0x1 127.0.0.1. 0x7F.0.0.1 127.0x0.0.1 0x7f.000.0.01 127.0.0.01 0000000177.0.0.1
    127.0.0x00001 127.65535 0x7f.0xffffff ①②⑦.⓪.⓪.① １２７.０.０.１ 𝟏𝟐𝟕.𝟎.𝟎.𝟏 127。0。0。1 127．0．0．1 127｡0｡0｡1 ②①③⓪⑦⓪⑥④③③
    ⓪ｘ⑦ｆ.1 %31%32%37.0.0.1 127%2e0%2e0%2e1 127%E3%80%820%E3%80%820%E3%80%821 %30%78%37%66.1 1%327.0.0.1`),
  },
  {
    trap: 'loopback behind a scheme without its slashes',
    refused: ADDRESS,
    urls: [
      'http:127.0.0.1',
      'http:/127.0.0.1',
      'http:///127.0.0.1',
      'http:////127.0.0.1/',
      'http:\\\\127.0.0.1',
      'http:/\\127.0.0.1/',
      'http://\\127.0.0.1/',
      'http:\\127.0.0.1\\hook',
      'HTTP://127.1',
      'hTTpS://0x7f.1/',
      'https:2130706433',
    ],
  },
  {
    trap: 'loopback behind what looks like another host',
    refused: ADDRESS,
    urls: [
      'http://127.0.0.1#example.com',
      'http://127.0.0.1?example.com',
      'http://127.0.0.1\\example.com',
      'http://127.0.0.1\\@example.com',
      'http://127.0.0.1/@example.com',
      'http://127.0.0.1:80\\@example.com/',
      'http://0x7f.1?@example.com/',
      'http://[::1]\\@example.com/',
    ],
  },
  {
    trap: 'this network, private, shared and link-local IPv4',
    refused: ADDRESS,
    urls: atHosts(`
    0.0.0.0 0 0x0 00 0.0 0.1.2.3 0.255.255.255 10.0.0.0 10.0.0.1 10.255.255.255 012.0.0.1 0xa.1 167772161 10.65535
    100.64.0.0 100.64.0.1 100.127.255.255 100.100.100.200 169.254.0.1 169.254.169.254 169.254.169.254. 2852039166
    0xa9fea9fe 0251.0376.0251.0376 169.16689662 169.254.43518 ⑯⑨.②⑤④.⑯⑨.②⑤④ 169.254.170.2 169.254.255.255 172.16.0.0
    172.16.0.1 172.31.255.255 2886729729 192.168.0.0 192.168.0.1 192.168.255.255 0xc0.0xa8.1 3232235521 0300.0250.0.1`),
  },
  {
    trap: 'IPv4 for protocols, documentation and benchmarks',
    refused: ADDRESS,
    urls: atHosts(`
    168.63.129.16 192.0.0.0 192.0.0.1 192.0.0.8 192.0.0.9 192.0.0.10 192.0.0.170 192.0.0.255 192.0.2.1 192.31.196.1 192.52.193.1
    192.88.99.1 192.88.99.2 192.175.48.1 192.175.48.255 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1`),
  },
  {
    trap: 'IPv4 that is not unicast',
    refused: ADDRESS,
    urls: atHosts(`
    224.0.0.1 224.0.0.251 232.1.2.3 239.255.255.255 240.0.0.1 254.1.2.3 255.255.255.255 4294967295 0xffffffff
    037777777777 255.16777215`),
  },
  {
    trap: 'IPv6 of this machine and this network',
    refused: ADDRESS,
    urls: atHosts(`
    [::] [::0] [0:0::0] [::1] [0:0:0:0:0:0:0:1] [::0001] [0::1] [0000::0.0.0.1] [fe80::1] [FE80::1] [fe90::1] [febf::1]
    [fec0::1] [feff::1] [fc00::1] [fd00::1] [fd12:3456:789a::1] [fd00:ec2::254] [fdff:ffff::1]`),
  },
  {
    trap: 'IPv6 that carries IPv4: mapped, compatible, translated',
    refused: ADDRESS,
    urls: atHosts(`
    [::ffff:127.0.0.1] [::FFFF:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:7f00:1] [::ffff:10.0.0.1] [::ffff:169.254.169.254]
    [::ffff:8.8.8.8] [::ffff:0.0.0.0] [0000:0000:0000:0000:0000:ffff:7f00:0001] [::127.0.0.1] [::7f00:1] [::a9fe:a9fe]
    [::8.8.8.8] [0:0:0:0:0:0:10.0.0.1] [::ffff:0:127.0.0.1] [::ffff:0:7f00:1] [::ffff:0:8.8.8.8]`),
  },
  {
    trap: 'IPv6 that carries IPv4: NAT64, 6to4, Teredo, ISATAP',
    refused: ADDRESS,
    urls: atHosts(`
    [64:ff9b::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b::a9fe:a9fe] [64:ff9b::808:808] [0064:FF9B::10.0.0.1] [64:ff9b:1::1]
    [64:ff9b:1:ffff::a00:1] [64:ff9b:1:7f00:0:100::] [2002:7f00:1::] [2002:a00:1::1] [2002:a9fe:a9fe::] [2002:808:808::1]
    [2001::1] [2001:0:7f00:1::] [2001:0:4136:e378:8000:63bf:3fff:fdd2] [2001:0:0:0:0:0:80ff:fffe]
    [2606:4700::5efe:7f00:1] [2606:4700::200:5efe:10.0.0.1] [2a00:1450::5efe:8.8.8.8] [2606:4700:1:2:0:5efe:192.168.0.1]`),
  },
  {
    trap: 'IPv6 for protocols, documentation and benchmarks',
    refused: ADDRESS,
    urls: atHosts(`
    [100::1] [100::ffff:ffff:ffff:ffff] [100:0:0:1::1] [2001:1::1] [2001:1::2] [2001:1::3] [2001:2::1] [2001:3::1]
    [2001:4:112::1] [2001:10::1] [2001:20::1] [2001:30::1] [2001:1ff:ffff::1] [2001:db8::1] [2001:0DB8::1]
    [2001:db8:ffff:ffff::1] [2620:4f:8000::1] [3fff::1] [3fff:fff:ffff::1] [5f00::1] [5f00:ffff::1]`),
  },
  {
    trap: 'IPv6 that is not global unicast',
    refused: ADDRESS,
    urls: atHosts(`
    [ff00::] [ff01::1] [ff02::1] [ff02::fb] [ff05::1:3] [ff0e::1] [ffff::1] [1::1] [200::1] [400::1] [1fff::1] [4000::1]
    [6000::1] [8000::1] [a000::1] [c000::1] [e000::1] [f000::1] [fe00::1]`),
  },
  {
    trap: 'names that only mean this machine or this network',
    refused: NAME,
    urls: atHosts(`
    localhost LOCALHOST localhost. LocalHost. foo.localhost foo.localhost. a.b.localhost 127.0.0.1.localhost printer.local
    printer.local. PRINTER.LOCAL local local. metadata.google.internal METADATA.GOOGLE.INTERNAL. x.internal internal
    router.home.arpa home.arpa home.arpa. ｌｏｃａｌｈｏｓｔ loc%61lhost %6c%6f%63%61%6c%68%6f%73%74 ⓛⓞⓒⓐⓛⓗⓞⓢⓣ localhost。 x。internal
    x.ⓛⓞⓒⓐⓛ loc\u00adalhost loc\u200balhost`),
  },
  {
    trap: 'special-use names of IANA, and names of private networks and clusters',
    refused: NAME,
    urls: atHosts(`
    localhost.localdomain LOCALHOST.LOCALDOMAIN. localhost6.localdomain6 teller.default.svc db.svc. x.svc.cluster.local a.onion
    hook.test hook.invalid hook.example bücher.example example.test x.alt example.arpa 1.0.0.127.in-addr.arpa
    ipv4only.arpa nas.lan a.corp a.home a.intranet a.private`),
  },
  {
    trap: 'labels and names that no DNS has',
    refused: NAME,
    urls: atHosts(`${'a'.repeat(64)}.com ${'b.'.repeat(126)}com`),
  },
  {
    trap: 'ports of other protocols',
    refused: 'names a port of another protocol',
    urls: atHosts('example.com:22 example.com:25 example.com:6000 1.1.1.1:6667 [2606:4700::1]:10080'),
  },
  { trap: 'port 0', refused: 'names port 0', urls: ['http://example.com:0/', 'https://1.1.1.1:00/'] },
  {
    trap: 'a backslash before @, where parsers disagree',
    refused: 'must not contain a backslash before @',
    urls: [
      'http://example.com\\@evil.example.org/',
      'http://example.com:80\\@evil.example.org/',
      'http://example.com\\a\\@b',
      'http://example.com/\\x@y',
    ],
  },
  {
    trap: 'names of a single label',
    refused: NAME,
    urls: atHosts(
      'intranet intranet. com. com ip6-localhost ip6-loopback kubernetes kubernetes. db metadata router',
    ),
  },
  {
    trap: 'names with an empty label',
    refused: NAME,
    urls: atHosts('..example.com example..com .example.com example.com.. . ..'),
  },
  {
    trap: 'userinfo',
    refused: 'must not contain a user name or password',
    urls: [
      'http://user@example.com/',
      'http://user:pass@example.com/',
      'http://:pass@example.com/',
      'http://@example.com/',
      'http://:@example.com/',
      'https://@@example.com/',
      'http://example.com@127.0.0.1/',
      'http://example.com%40@127.0.0.1/',
      'http://example.com:80@127.0.0.1:80/',
      'http://127.0.0.1@example.com/',
      'https:\\\\user@example.com/',
      'http:user@example.com',
      'http:/@example.com/',
      'http://a%40b@example.com/',
      'http://example.com;@127.0.0.1/',
      'http://example.com%2f@127.0.0.1/',
    ],
  },
  {
    trap: 'characters that parsing drops',
    refused: 'must not contain spaces or control characters',
    urls: [
      'http://127.0.\t0.1/',
      'http://127.0.0.1\n/',
      'ht\ntp://example.com/',
      ' http://example.com/',
      'http://example.com/ ',
      'http://exa\tmple.com/',
      'http://example.com\r\n/',
      'http://example.com/\r\nx-header: y',
      'http://example.com/\0',
      '\0http://example.com/',
      'http://example.com/a b',
      'http://1.1.1.1 &@2.2.2.2# @3.3.3.3/',
      'http://\u007fexample.com/',
      '\u0001http://example.com/',
      'http://example.com/\u001f',
    ],
  },
  {
    trap: 'other schemes',
    refused: 'must begin with http:// or https://',
    urls: [
      'ftp://example.com/',
      'ftps://example.com/',
      'file:///etc/passwd',
      'file://example.com/x',
      'gopher://example.com/',
      'ws://example.com/',
      'wss://example.com/',
      'javascript:alert(1)',
      'data:text/plain,x',
      'unix:/var/run/docker.sock',
      'http+unix://%2Fvar%2Frun%2Fdocker.sock/',
      'blob:http://example.com/x',
      'view-source:http://example.com/',
      'jar:http://example.com!/',
      'dict://example.com:11211/',
      'ldap://example.com/',
      'mailto:a@example.com',
      'httpx://example.com/',
      'about:blank',
      'example.com:80/',
    ],
  },
  {
    trap: 'what is not a URL',
    refused: 'is not a valid URL',
    urls: [
      '',
      '/',
      '.',
      'example.com',
      '//example.com/',
      'www.example.com/hook',
      '://example.com/',
      'http',
      'http:',
      'http://',
      'https://',
      'http://?x',
      'http://#x',
      'http://:80/',
      'http://[::1',
      'http://::1/',
      'http://[]/',
      'http://[:::1]/',
      'http://[::1]x/',
      'http://[[::1]]/',
      'http://[1.1.1.1]/',
      'http://[127.0.0.1]/',
      'http://[::127.0.0.1.]/',
      'http://[::ffff:0x7f.1]/',
      'http://[fe80::1%25eth0]/',
      'http://[fe80::1%eth0]/',
      'http://[2606:4700::1%251]/',
      'http://1.2.3.4.5/',
      'http://256.1.1.1/',
      'http://1.1.1.256/',
      'http://0x100000000/',
      'http://08.8.8.8/',
      'http://example.com:99999/',
      'http://example.com:65536/',
      'http://example.com:-1/',
      'http://example.com:x/',
      'http://exa<mple.com/',
      'http://exa|mple.com/',
      'http://exa^mple.com/',
      'http://example.com%00/',
      'http://%/',
      'http://[v1.1]/',
    ],
  },
];

/** Public http(s) URLs, many of which look like one of the others. */
export const GOOD_URLS = words(`
  http://example.com https://example.com/ https://example.com./ https://EXAMPLE.com/Hook HTTPS://example.com/
  http://example.com:8080/x http://example.com:443/ https://example.com:80/ https://example.com:65535/
  https://example.com/hooks?a=b&c=%20d#fragment https://hooks.example.co.uk/ https://example.com//x https://example.com/../x
  https://bücher.example.com/ https://例え.jp/ https://xn--bcher-kva.example.com/ https://müller.de./ https://a_b.example.com/
  https://example.com/@user https://example.com/a:b@c https://example.com/?u=a@b https://example.com/#@127.0.0.1
  https://example.com/?next=http://127.0.0.1/ https://example.com/%0d%0a
  https://localhost.example.com/ https://internal.example.com/ https://home.arpa.example.com/ https://local.dev/
  https://mylocalhost.io/ https://notinternal.com/ https://10.example.com/ https://127.0.0.1.nip.io/ https://1.2.3.example.com/
  https://0x7f.example.com/ https://svc.example.com/ https://test.dev/ https://myhome.io/ https://onion.example.org/
  https://${'a'.repeat(63)}.com/ https://${'b.'.repeat(124)}co.uk/ http://168.63.129.15/ http://168.63.129.17/
  https://1.1.1.1/ http://8.8.8.8:443/ http://0x8.0x8.0x8.0x8/ http://134744072/ http://8.8.2056/ http://8.8.8.8./
  http://1.0.0.0/ http://9.255.255.255/ http://11.0.0.0/ http://100.63.255.255/ http://100.128.0.0/ http://126.255.255.255/
  http://128.0.0.1/ http://169.253.0.1/ http://169.255.0.1/ http://172.15.0.1/ http://172.32.0.1/ http://192.0.1.1/
  http://192.0.3.1/ http://192.31.195.255/ http://192.88.98.255/ http://192.167.0.1/ http://192.169.0.1/
  http://198.17.255.255/ http://198.20.0.0/ http://198.51.99.255/ http://203.0.112.1/ http://203.0.114.0/
  http://223.255.255.255/ http://[2606:4700:4700::1111]/ http://[2001:4860:4860::8888]:8080/ http://[2a00:1450:4001::1]/
  http://[2001:200::1]/ http://[2001:db7::1]/ http://[2001:db9::1]/ http://[2003::1]/ http://[2400:cb00::1]/
  http://[2620:0:2d0::1]/ http://[2620:4f:7fff::1]/ http://[2620:4f:8001::1]/ http://[2800:3f0::1]/ http://[2c0f:fb50::1]/
  http://[3ffe::1]/ http://[2606:4700::5eff:1]/ http://[2606:4700::ffff:7f00:1]/ http://[2606:4700::5efe:0:1:1]/
`);
