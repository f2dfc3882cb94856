import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { operationParticipants, ownerOfChange } from '../store/participants.ts';
import { accountAddress } from './addresses.ts';
import { effectsOf } from './effects.ts';
import { RECORDINGS } from './testing/recordings.ts';

describe('every account that an effect is of is among those that the index finds its transaction by', () => {
  for (const { folder, skip, operations } of RECORDINGS) {
    test(`over ${folder}`, { skip }, () => {
      let effects = 0;
      for (const at of operations()) {
        const owners = (at.meta?.changes ?? []).flatMap((change) => ownerOfChange(change) ?? []);
        const participants = operationParticipants(at.transaction, at.operation, at.meta);
        const found = new Set(
          [...participants, ...owners].map((ed25519) => accountAddress({ type: 0, ed25519 })),
        );
        for (const { account, type } of effectsOf(at)) {
          assert.ok(found.has(account), `${type} of ${account} in ledger ${at.ledger}`);
          effects++;
        }
      }
      assert.ok(effects > 0);
    });
  }
});
