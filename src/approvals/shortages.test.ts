import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import type { Approver } from '../auth/teams/approver-store.ts';
import type { AskingProgram } from '../auth/teams/program-store.ts';
import { eligibleFor } from './approvers.ts';
import type { ApprovalNeed } from './need-store.ts';
import { shortages, shortInWords } from './shortages.ts';

const NEED: ApprovalNeed = { wallet_id: 'wal_1', required: 2, withdrawals: true, without_factor: false };
const PROGRAM: AskingProgram = { id: 'svu_1', name: 'Payouts', wallet_ids: null };
const ENDED = new Date('2026-01-01T12:00:00Z');

const member = (user_id: string, rights: Partial<Approver> = {}): Approver => {
  return { user_id, wallet_ids: null, since: new Date(0), has_factor: false, knows: [], ...rights };
};
const knower = (user_id: string, until: Date | null = null) =>
  member(user_id, { knows: [{ id: PROGRAM.id, until }] });
const short = (approvers: Approver[], programs: AskingProgram[] = [], need = NEED) =>
  shortages([need], approvers, programs).map(({ able, program }) => [program?.id ?? null, able]);

test('one member more than the approvals is enough for members: any of them may ask', () => {
  const three = ['a', 'b', 'c'].map((id) => member(id));
  assert.deepEqual(short(three), []);
  assert.deepEqual(short(three.slice(1)), [[null, 1]]);
  assert.deepEqual(short([]), [[null, 0]]);
  const elsewhere = member('c', { wallet_ids: ['wal_2'] });
  assert.deepEqual(short([...three.slice(1), elsewhere]), [[null, 1]]);
});

test('two members who one person could be are one: any of them may ask', () => {
  const knows = (...ids: string[]) => ({ knows: ids.map((id) => ({ id, until: null })) });
  const [a, b, c] = [member('a', knows('b')), member('b', knows('a')), member('c')];
  assert.deepEqual(short([a, b, c]), [[null, 1]]);
  assert.deepEqual(short([a, b, c, member('d')]), []);
  const ended = member('b', { knows: [{ id: 'a', until: ENDED }] });
  assert.deepEqual(short([member('a'), ended, c]), []);
});

test('a program needs as many members who know no valid credential of it', () => {
  assert.deepEqual(short([member('a'), member('b'), knower('c')], [PROGRAM]), []);
  assert.deepEqual(short([member('a'), knower('b'), knower('c')], [PROGRAM]), [['svu_1', 1]]);
  assert.deepEqual(short([member('a'), knower('b', ENDED), knower('c')], [PROGRAM]), []);
});

test('a program does not count where it has no wallet, nor where only changes of the policy need approvals', () => {
  const team = [knower('a'), knower('b'), knower('c')];
  assert.deepEqual(short(team, [{ ...PROGRAM, wallet_ids: ['wal_2'] }]), []);
  assert.deepEqual(short(team, [{ ...PROGRAM, wallet_ids: ['wal_2', 'wal_1'] }]), [['svu_1', 0]]);
  assert.deepEqual(short(team, [PROGRAM], { ...NEED, withdrawals: false }), []);
});

test('the words name the wallet and every program', () => {
  const other = { ...PROGRAM, id: 'svu_2', name: 'Refunds' };
  const team = [knower('a'), member('b', { knows: [{ id: 'svu_2', until: null }] }), member('c')];
  const needs = { ...NEED, required: 3 };
  const words = shortInWords(shortages([needs], team, [PROGRAM, other]));
  for (const part of ['wal_1', 'Payouts (svu_1)', 'Refunds (svu_2)']) assert.ok(words.includes(part), words);
  const one = shortInWords(shortages([{ ...NEED, required: 1 }], [member('a')], []));
  assert.match(one, /^wal_1 needs 1 approval, and beside the requester 0 members could approve/);
});

test('who knew a credential decides about nothing that was asked for until an hour after its end', () => {
  const approver = knower('a', ENDED);
  const decides = (created_at: Date, requested_by = PROGRAM.id) =>
    eligibleFor([approver], { requested_by, created_at }).has('a');
  const hour = 3_600_000;
  assert.ok(!decides(new Date(ENDED.getTime() - 24 * hour)));
  assert.ok(!decides(new Date(ENDED.getTime() + hour - 1)));
  assert.ok(decides(new Date(ENDED.getTime() + hour)));
  assert.ok(decides(ENDED, 'svu_2'));
});
