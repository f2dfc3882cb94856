/** POST /v1/wallets/:id/withdraw/preview: what a withdrawal would do, and that asking does nothing. */
import assert from 'node:assert/strict';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import { Account, Keypair, MuxedAccount, Operation } from '@stellar/stellar-sdk/base';
import { assertError, assertFault, joinService, type Wallet } from '../support/running-service.ts';

const NOWHERE = 'wal_00000000000000000000000000';
const FUNDED = 100_000_000_000n;
const RESERVE = 10_000_000n;
const FEE = 100n;

const world = await joinService();
after(() => world.stop());
const stranger = await world.newUser();
const payee = (await world.ledger.fund()).publicKey();

let wallet: Wallet;
beforeEach(async () => {
  wallet = await world.newWallet();
});

const muxed = (account: string, id: string) => new MuxedAccount(new Account(account, '0'), id).accountId();
const nobody = () => Keypair.random().publicKey();
const ask = (body: unknown, { id = wallet.id, token = world.token } = {}) =>
  world.api('POST', `/v1/wallets/${id}/withdraw/preview`, { token, body });

async function preview(destination: string, amount_stroops: bigint, memo_id?: bigint): Promise<any> {
  const answer = await ask({ destination, amount_stroops, memo_id });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}
const codesOf = ({ problems }: any): string[] => problems.map(({ code }: any) => code);
const withdraw = (destination: string, amount_stroops: bigint, memo_id: bigint | null = null) =>
  world.withdraw(wallet, { destination, amount_stroops, memo_id });
const balance = async () => (await world.ledger.account(wallet.account))?.balance;

describe('200: what would happen', () => {
  it('a payment to an account that exists: its fee, and what is left', async () => {
    assert.deepEqual(await preview(payee, 1_000n), {
      operation: 'payment',
      destination_exists: true,
      memo_required: false,
      memo_satisfied: true,
      fee_stroops: FEE,
      fee_max_stroops: 100_000n,
      contract_fee: null,
      fee_paid_by: 'wallet',
      asset_code: 'native',
      asset_issuer: null,
      balance_stroops: FUNDED,
      reserve_stroops: RESERVE,
      available_stroops: FUNDED - RESERVE,
      fee_available_stroops: FUNDED - RESERVE,
      room_stroops: null,
      balance_after_stroops: FUNDED - 1_000n - FEE,
      would_send: true,
      approvals_required: 0n,
      approvals_cause: null,
      unapproved_stroops: 0n,
      problems: [],
    });
  });

  it('sends nothing and keeps nothing', async () => {
    const seen = async () => [
      await world.ledger.account(wallet.account),
      await world.countOf('withdrawals'),
      await world.countOf('wallet_policies'),
    ];
    const before = await seen();
    for (let round = 0; round < 3; round++) await preview(payee, 1_000n);
    assert.deepEqual(await seen(), before);
  });

  it('the withdrawal then does as it was told: operation, fee and balance', async () => {
    for (const [destination, amount] of [
      [payee, 5n],
      [muxed(payee, '7'), 6n],
      [nobody(), 2n * RESERVE],
      [wallet.account, 70n],
    ] as const) {
      const { operation, fee_stroops, balance_after_stroops } = await preview(destination, amount);
      const { body } = await withdraw(destination, amount);
      assert.equal(body.data.status, 'confirmed');
      assert.deepEqual([body.data.operation, body.data.fee_stroops], [operation, fee_stroops]);
      assert.equal(await balance(), balance_after_stroops);
    }
  });

  it('the whole available balance less the fee can be paid, and not one stroop more', async () => {
    const { available_stroops, fee_stroops } = await preview(payee, 1n);
    const whole = BigInt(available_stroops) - BigInt(fee_stroops);
    const more = await preview(payee, whole + 1n);
    assert.deepEqual(codesOf(more), ['op_underfunded']);
    assert.deepEqual([more.would_send, more.balance_after_stroops], [true, null]);
    const enough = await preview(payee, whole);
    assert.deepEqual([codesOf(enough), enough.balance_after_stroops], [[], RESERVE]);
    assert.equal((await withdraw(payee, whole)).body.data.status, 'confirmed');
    assert.deepEqual(codesOf(await preview(payee, 1n)), ['tx_insufficient_balance']);
  });

  it('foreseen failures are those that the ledger then says', async () => {
    for (const [destination, amount, code] of [
      [nobody(), 9_999_999n, 'op_no_destination'],
      [muxed(nobody(), '1'), 2n * RESERVE, 'op_no_destination'],
      [payee, FUNDED, 'op_underfunded'],
      [nobody(), FUNDED, 'op_underfunded'],
    ] as const) {
      const foreseen = await preview(destination, amount);
      assert.deepEqual([codesOf(foreseen), foreseen.would_send], [[code], true]);
      assert.equal(foreseen.destination_exists, destination === payee);
      const { status, body } = await withdraw(destination, amount);
      assert.deepEqual([status, body.data.failure?.code], [201, code]);
      if (amount !== 9_999_999n) assert.equal(body.data.failure.message, foreseen.problems[0].message);
      else assert.match(foreseen.problems[0].message, /A payment of at least 10000000 stroops creates it\.$/);
    }
  });

  it('SEP-29: a memo that is required, and whether it is there', async () => {
    const shop = await world.ledger.fund();
    await world.ledger.apply(shop, [Operation.manageData({ name: 'config.memo_required', value: '1' })]);
    const account = shop.publicKey();
    const without = await preview(account, 5n);
    assert.deepEqual(
      [without.memo_required, without.memo_satisfied, without.would_send, codesOf(without)],
      [true, false, false, ['memo_required']],
    );
    assertError(await withdraw(account, 5n), 400, 'memo_required');
    for (const given of [await preview(account, 5n, 0n), await preview(muxed(account, '1'), 5n)]) {
      assert.deepEqual([given.memo_required, given.memo_satisfied, given.problems], [true, true, []]);
    }
  });

  it('every rule of the policy that it would break, with the words of the refusal', async () => {
    const limits = { frozen: true, max_withdrawal_stroops: 4, max_rolling_24h_stroops: 3, destinations: [] };
    await world.api('PUT', `/v1/wallets/${wallet.id}/policy`, { token: world.token, body: limits });
    const foreseen = await preview(payee, 5n);
    assert.deepEqual(codesOf(foreseen), [
      'policy_frozen',
      'policy_destination_not_allowed',
      'policy_amount_limit',
      'policy_daily_limit',
    ]);
    assert.equal(foreseen.would_send, false);
    const refused = await withdraw(payee, 5n);
    assertError(refused, 422, 'policy_frozen');
    assert.equal(refused.body.message, foreseen.problems[0].message);
  });
});

describe('refused as the withdrawal itself is', () => {
  let rows: number;
  beforeEach(async () => {
    rows = await world.countOf('withdrawals');
  });
  afterEach(async () => assert.equal(await world.countOf('withdrawals'), rows));

  it('400 for a body that is not valid', async () => {
    const faults: [body: unknown, path: string][] = [
      [{ amount_stroops: 1 }, '/destination'],
      [{ destination: payee }, '/amount_stroops'],
      [{ destination: payee, amount_stroops: 0 }, '/amount_stroops'],
      [`{"destination":"${payee}","amount_stroops":1.0}`, '/amount_stroops'],
      [{ destination: payee, amount_stroops: 1, memo_id: '1' }, '/memo_id'],
      [{ destination: payee, amount_stroops: 1, memoid: 1 }, '/memoid'],
      [{ destination: Keypair.random().secret(), amount_stroops: 1 }, '/destination'],
      [{ destination: payee.toLowerCase(), amount_stroops: 1 }, '/destination'],
    ];
    for (const [body, path] of faults) assertFault(await ask(body), path);
    const ambiguous = { destination: muxed(payee, '1'), amount_stroops: 1, memo_id: 2 };
    assertError(await ask(ambiguous), 400, 'ambiguous_destination');
  });

  it('401 for an API key, whatever the wallet; 404 for a wallet of somebody else', async () => {
    const body = { destination: payee, amount_stroops: 1 };
    for (const id of [wallet.id, NOWHERE]) {
      assertError(await ask(body, { id, token: wallet.api_key }), 401, 'login_required');
    }
    assertError(await ask(body, { token: stranger.token }), 404, 'not_found');
    assertError(await ask(body, { id: NOWHERE }), 404, 'not_found');
  });
});
