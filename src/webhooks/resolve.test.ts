import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { manualClock } from '../../test/support/webhooks.ts';
import { type Config, readConfig } from '../config.ts';
import { AppError } from '../errors.ts';
import { type Resolve, requirePublicUrl, resolveByDns } from './resolve.ts';

const clock = manualClock();
const config = readConfig({ WEBHOOK_ALLOWED_HOSTS: 'inner.example.com,10.1.0.0/16' }) as Config;
const NAME = 'https://hooks.example.com/';

const check = (url: string, resolve: Resolve) => requirePublicUrl({ config, clock }, url, resolve);
const isRefusal = (error: unknown) => error instanceof AppError && error.code === 'webhook_url_not_public';

test('a name is refused if any of its answers is not public', async () => {
  await check(NAME, async () => ['1.1.1.1', '2606:4700::1']);
  await check(NAME, async () => ['1.1.1.1', '10.1.2.3']); // an exempted block
  for (const answer of [['10.0.0.1'], ['1.1.1.1', '169.254.169.254'], ['2606:4700::1', '::ffff:1.1.1.1']]) {
    await assert.rejects(
      check(NAME, async () => answer),
      isRefusal,
    );
  }
});

test('a name without an answer is accepted, and so is one that has none within 2 s', async () => {
  await check(NAME, async () => []);
  const accepted = check(NAME, () => new Promise(() => {}));
  clock.advance(2_000);
  await accepted;
});

test('neither an address nor an exempted host is resolved', async () => {
  const never: Resolve = async () => assert.fail('resolved');
  for (const url of ['http://1.1.1.1/', 'http://[2606:4700::1]/', 'http://inner.example.com/']) {
    await check(url, never);
  }
});

test('a name that cannot exist has no addresses', async () => {
  assert.deepEqual(await resolveByDns('nothing.invalid'), []);
});
