import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toDo, type Waiting } from '../../dashboard/src/pages/overview/to-do.ts';

const WELL = {
  reconciliation: { ok: true, message: 'the books agree with the ledger', ledger: 7, checked_at: null },
  webhooks: { ok: true, message: 'no endpoint fails', total: 1, failing: 0, disabled: 0 },
  inbox: { unattributed: 0, own_funds: 0 },
};
const NOTHING: Waiting = {
  health: WELL,
  approvals: [],
  factors: undefined,
  isPublic: false,
  may: () => true,
};
const NO_FACTOR = { factors: [], required_by_team: false };
const awaiting = (may_decide: boolean, factor_required = false) => ({ may_decide, factor_required });

test('an overview says what waits for its reader, the most urgent first, and where it is done', () => {
  const waiting = toDo({
    health: {
      reconciliation: { ok: false, message: 'the books differ from the ledger', ledger: 7, checked_at: null },
      webhooks: { ok: false, message: 'two fail', total: 2, failing: 1, disabled: 1 },
      inbox: { unattributed: 2, own_funds: 1 },
    },
    approvals: [awaiting(true), awaiting(false, true), awaiting(false)],
    factors: NO_FACTOR,
    isPublic: true,
    may: () => true,
  });
  assert.deepEqual(
    waiting.map(({ words, to, isUrgent }) => [words, to, isUrgent]),
    [
      ['The books differ from the ledger', '/wallets/$walletId/transactions', true],
      ['2 failing endpoints', '/wallets/$walletId/developers', true],
      ['1 unattributed deposit', '/wallets/$walletId/inbox', false],
      ['2 requests to approve or reject', '/approvals', false],
      ['Your login has no second factor', '/security', false],
    ],
  );
});

test('nothing waits while all is well, for own funds, while nothing is read yet, or for a sandbox without second factors', () => {
  assert.deepEqual(toDo(NOTHING), []);
  assert.deepEqual(toDo({ ...NOTHING, health: undefined, approvals: undefined }), []);
  assert.deepEqual(toDo({ ...NOTHING, factors: NO_FACTOR }), []);
  const created = { ...WELL, inbox: { unattributed: 1, own_funds: 1 } };
  assert.deepEqual(toDo({ ...NOTHING, health: created }), [], 'what created the account asks for nothing');
  assert.deepEqual(toDo({ ...NOTHING, approvals: [awaiting(false)] }), []);
});

test('an overview leaves out what the role of its reader may not do', () => {
  const health = {
    ...WELL,
    webhooks: { ...WELL.webhooks, failing: 1 },
    inbox: { unattributed: 1, own_funds: 0 },
  };
  assert.deepEqual(toDo({ ...NOTHING, health, may: () => false }), []);
});

test('a team that requires second factors asks for one on every network; a count that is cut off says so', () => {
  const required = toDo({ ...NOTHING, factors: { factors: [], required_by_team: true } });
  assert.deepEqual(
    required.map(({ to }) => to),
    ['/security'],
  );
  const [many] = toDo({ ...NOTHING, health: { ...WELL, inbox: { unattributed: 1000, own_funds: 1 } } });
  assert.equal(many?.words, '999 or more unattributed deposits');
});
