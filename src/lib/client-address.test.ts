import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fc from 'fast-check';
import { addressGroup, clientAddress, isInBlocks, parseBlock } from './client-address.ts';
import type { Block } from './host-or-block.ts';

const blocks = (...texts: string[]) => texts.map((text) => parseBlock(text) as Block);
const TRUSTED = blocks('10.0.0.0/8', '127.0.0.1', 'fd00::/8');

test('a block is a CIDR block or an address, and no other text', () => {
  for (const text of ['10.0.0.0/8', '127.0.0.1', '::1', 'fd00::/8', '::ffff:10.0.0.0/104', '0.0.0.0/0'])
    assert.ok(parseBlock(text), text);
  const wrong = [
    '',
    'proxy',
    '10.0.0.0/33',
    '10.0.0/8',
    '10.0.0.0/8/8',
    '10.0.0.0/',
    '10.0.0.0/x',
    '010.0.0.1',
  ];
  for (const text of [...wrong, '10.0.0.1:80', '[::1]', 'fe80::1%eth0', '*', '10.0.0.0/-1', 'fd00::/129'])
    assert.equal(parseBlock(text), null, text);
});

test('IPv4 written as IPv6 is IPv4: as an address, in a block, and in a group', () => {
  for (const block of ['10.0.0.0/8', '::ffff:10.0.0.0/104']) {
    assert.ok(isInBlocks('::ffff:10.1.2.3', blocks(block)), block);
    assert.ok(isInBlocks('10.1.2.3', blocks(block)), block);
    assert.ok(!isInBlocks('::ffff:11.1.2.3', blocks(block)), block);
  }
  assert.equal(addressGroup('::ffff:203.0.113.9'), '203.0.113.0/24');
});

test('the header of a peer that is no trusted proxy is ignored, whatever it says', () => {
  for (const trusted of [[], TRUSTED])
    for (const claim of ['', '198.51.100.1', '127.0.0.1', '10.0.0.1, 127.0.0.1'])
      assert.equal(clientAddress('203.0.113.9', claim, trusted), '203.0.113.9');
});

test('the header is read from its end, through trusted proxies only', () => {
  const client = (claims: string) => clientAddress('127.0.0.1', claims, TRUSTED);
  assert.equal(client('198.51.100.1'), '198.51.100.1');
  assert.equal(client('6.6.6.6, 198.51.100.1'), '198.51.100.1', 'what a client claims itself counts nothing');
  assert.equal(client('6.6.6.6, 198.51.100.1, 10.0.0.7,fd00::1'), '198.51.100.1');
  assert.equal(client('10.0.0.6, 198.51.100.1'), '198.51.100.1', 'nor does a trusted address that it claims');
  assert.equal(client('10.0.0.6, 10.0.0.7'), '10.0.0.6', 'a client among the proxies');
});

test('an entry that is no address ends the way: the proxy that sent it is the client', () => {
  const client = (claims: string) => clientAddress('127.0.0.1', claims, TRUSTED);
  for (const claims of ['', ' ', 'unknown', '198.51.100.1, unknown', '198.51.100.1,', '198.51.100.1, 1.2.3'])
    assert.equal(client(claims), '127.0.0.1', claims);
  assert.equal(client('198.51.100.1, _hidden, 10.0.0.7'), '10.0.0.7');
});

test('a port behind an address is left out', () => {
  for (const claim of ['198.51.100.1:4711', ' 198.51.100.1:4711 '])
    assert.equal(clientAddress('127.0.0.1', claim, TRUSTED), '198.51.100.1');
  for (const claim of ['[2001:db8::1]:4711', '[2001:db8::1]', '2001:db8::1'])
    assert.equal(clientAddress('127.0.0.1', claim, TRUSTED), '2001:db8::1');
});

test('addresses of one IPv4 /24 and of one IPv6 /64 are one group', () => {
  assert.equal(addressGroup('203.0.113.255'), '203.0.113.0/24');
  assert.equal(addressGroup('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64');
  assert.equal(addressGroup('2001:db8:1:2::'), '2001:db8:1:2::/64');
  assert.notEqual(addressGroup('2001:db8:1:3::'), '2001:db8:1:2::/64');
  assert.equal(addressGroup('fe80::1%eth0'), 'fe80::/64');
  assert.equal(addressGroup('unknown'), 'unknown');
});

test('no header of an untrusted peer, and no entry before an untrusted one, changes the client', () => {
  const any = fc.oneof(fc.ipV4(), fc.ipV6(), fc.string(), fc.constantFrom('10.0.0.1', '127.0.0.1', ','));
  fc.assert(
    fc.property(fc.array(any), (claims) => {
      const text = claims.join(', ');
      assert.equal(clientAddress('203.0.113.9', text, TRUSTED), '203.0.113.9');
      assert.equal(clientAddress('10.0.0.1', `${text}, 203.0.113.9`, TRUSTED), '203.0.113.9');
    }),
  );
});
