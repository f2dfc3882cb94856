import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { deviceName } from './device-name.ts';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';

test('browsers are named with their system', () => {
  const named: [user_agent: string, name: string][] = [
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/156.0.0.0 Safari/537.36`,
      'Chrome on Windows',
    ],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/156.0.0.0 Safari/537.36 Edg/156.0.0.0`,
      'Edge on Windows',
    ],
    [`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} HeadlessChrome/156.0.0.0 Safari/537.36`, 'Chrome on Linux'],
    [
      `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/156.0.0.0 Mobile Safari/537.36`,
      'Chrome on Android',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
      'Safari on macOS',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
      'Safari on iPhone',
    ],
  ];
  for (const [user_agent, name] of named) assert.equal(deviceName(user_agent), name);
});

test('programs are named by their first word, which is cut; without one nothing is known', () => {
  assert.equal(deviceName('python-requests/2.32.5'), 'python-requests/2.32.5');
  assert.equal(deviceName('curl/8.5.0 (x86_64)'), 'curl/8.5.0');
  assert.equal(deviceName(`${'x'.repeat(8000)} y`), 'x'.repeat(60));
  assert.equal(deviceName('Mozilla/5.0 (compatible)'), 'Mozilla/5.0');
  for (const nothing of [undefined, '', '  ']) assert.equal(deviceName(nothing), null);
});
