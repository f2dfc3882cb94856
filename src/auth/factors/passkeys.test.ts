import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { relyingParty } from './passkeys.ts';

test('passkeys are for the host name of PUBLIC_URL, where a browser allows them', () => {
  const cases: [string, string | null][] = [
    ['https://teller.example.com', 'teller.example.com'],
    ['https://teller.example.com:8443', 'teller.example.com'],
    ['http://localhost:3000', 'localhost'],
    ['http://teller.localhost:3000', 'teller.localhost'],
    ['http://teller.example.com', null],
    ['http://localhost.example.com', null],
    ['http://127.0.0.1:3000', null],
    ['https://192.0.2.1', null],
    ['https://[::1]:3000', null],
  ];
  for (const [public_url, rp_id] of cases) {
    const party = relyingParty(public_url);
    assert.deepEqual(party, rp_id === null ? null : { rp_id, origin: public_url }, public_url);
  }
});
