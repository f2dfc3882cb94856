import { strict as assert } from 'node:assert';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { createKeyRing } from '../../vault/master-keys/key-ring.ts';
import { deviceCookie, findDevice, readDeviceTokens, withDevice } from './device-cookie.ts';

const key = createKeyRing([randomBytes(32)]).derive('known devices');
const user = { id: 'usr_1', password_hash: 'hash 1' };
const now = new Date('2026-11-24T12:00:00Z');
const later = (days: number) => new Date(now.getTime() + days * 86_400_000);
const fresh = { device: null, now };
const [token = ''] = withDevice(key, [], user, fresh);

test('the token of a device is known for its user, for 180 days', () => {
  assert.match(findDevice(key, [token], user, now) ?? '', /^[\w-]{22}$/);
  assert.ok(findDevice(key, [token], user, later(179.9)));
  assert.equal(findDevice(key, [token], user, later(180)), null);
});

test('it is nothing for another user, another password, an e-mail without a user, or another key', () => {
  assert.equal(findDevice(key, [token], { ...user, id: 'usr_2' }, now), null);
  assert.equal(findDevice(key, [token], { ...user, password_hash: 'hash 2' }, now), null);
  assert.equal(findDevice(key, [token], undefined, now), null);
  assert.equal(
    findDevice(createKeyRing([randomBytes(32)]).derive('known devices'), [token], user, now),
    null,
  );
});

test('nobody can make one for an e-mail without a user', () => {
  const [forged = ''] = withDevice(key, [], { id: '', password_hash: '' }, fresh);
  assert.equal(findDevice(key, [forged], undefined, now), null);
});

test('a change of any single character makes it nothing, also of its time', () => {
  for (let index = 0; index < token.length; index++) {
    for (const other of ['A', 'B', '0', '1', '.']) {
      const changed = token.slice(0, index) + other + token.slice(index + 1);
      const same =
        changed === token || Buffer.from(changed, 'base64url').equals(Buffer.from(token, 'base64url'));
      if (!same) assert.equal(findDevice(key, [changed], user, now), null, changed);
    }
  }
});

test('a device keeps its id with a new token, and a new device has another id', () => {
  const device = findDevice(key, [token], user, now);
  const renewed = withDevice(key, [token], user, { device, now: later(100) });
  assert.equal(renewed.length, 1);
  assert.equal(findDevice(key, renewed, user, later(200)), device);
  const [another = ''] = withDevice(key, [], user, fresh);
  assert.notEqual(findDevice(key, [another], user, now), device);
});

test('a browser is known for five users, the ones who signed in last', () => {
  const users = Array.from({ length: 6 }, (_, index) => ({ id: `usr_${index}`, password_hash: '' }));
  const tokens = users.reduce<string[]>((kept, one) => withDevice(key, kept, one, fresh), []);
  const known = users.map((one) => findDevice(key, tokens, one, now) !== null);
  assert.deepEqual(known, [false, true, true, true, true, true]);
});

test('the cookie is for the host alone, and no script reads it', () => {
  assert.match(
    deviceCookie([token], true),
    /^__Host-teller-device=[\w.~-]+; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Strict; Secure$/,
  );
  assert.match(
    deviceCookie([token], false),
    /^teller-device=[^;]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict$/,
  );
});

test('tokens come back from among other cookies; what is no token is left out', () => {
  const [another = ''] = withDevice(key, [], user, fresh);
  const [pair] = deviceCookie([token, another], true).split(';');
  assert.deepEqual(readDeviceTokens(`a=b; ${pair}; c=d`, true), [token, another]);
  assert.deepEqual(readDeviceTokens(`a=b; ${pair}; c=d`, false), [], 'of the other name');
  for (const cookies of [
    undefined,
    '',
    '__Host-teller-device',
    '__Host-teller-device=',
    '__Host-teller-device=x~y',
  ])
    assert.deepEqual(readDeviceTokens(cookies, true), [], cookies);
  assert.equal(readDeviceTokens(`__Host-teller-device=${Array(9).fill(token).join('~')}`, true).length, 5);
});
