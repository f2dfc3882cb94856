import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { nearestName } from './nearest-name.ts';

const NAMES = ['serve', 'sandbox', 'channels', 'WEBHOOK_ALLOWED_HOSTS', 'WEBHOOK_LOG_DAYS'];

test('a name with a letter too many, missing, wrong or swapped is recognized', () => {
  for (const [typed, meant] of [
    ['serv', 'serve'],
    ['sanbdox', 'sandbox'],
    ['chanels', 'channels'],
    ['channnels', 'channels'],
    ['chamnels', 'channels'],
    ['WEBHOOK_ALOWED_HOSTS', 'WEBHOOK_ALLOWED_HOSTS'],
    ['webhok_alowed_host', 'WEBHOOK_ALLOWED_HOSTS'],
  ] as const) {
    assert.equal(nearestName(typed, NAMES), meant, typed);
  }
});

test('of several similar names the nearest one is given', () => {
  assert.equal(nearestName('lists', ['least', 'list']), 'list');
});

test('for a name that resembles none there is no guess', () => {
  for (const typed of ['', 'withdraw', 'WEBHOOK_SECRET', 'HOSTS']) {
    assert.equal(nearestName(typed, NAMES), null, typed);
  }
});
