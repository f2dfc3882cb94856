/**
 * Section 5 of the contract: a clawback or another loss that is no withdrawal is a row of `GET …/transactions` with
 * `type: "adjustment"` and a reason; so is a change of what a trust line may do. The books agree to the stroop.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { tellerStartedOnce as teller } from '../support/commands.ts';
import { eventually } from '../support/eventually.ts';
import { type Issuer, newIssuer, REQUIRED } from '../support/issuers.ts';
import {
  assertFault,
  type RunningService,
  startRunningService,
  type Wallet,
} from '../support/running-service.ts';

const UNIT = 10_000_000n;

type Asset = { asset_code: string; asset_issuer: string };

let world: RunningService;
let wallet: Wallet;
let claw: Asset;
let auth: Issuer;
before(async () => {
  world = await startRunningService();
  const { test_assets } = (await world.api('GET', '/v1/service')).body.data;
  const { asset_code, asset_issuer } = test_assets.find((each: Asset) => each.asset_code === 'CLAWUSD');
  claw = { asset_code, asset_issuer };
  await eventually('the issuer of CLAWUSD', () => world.ledger.account(asset_issuer));
  auth = await newIssuer(world.ledger, 'AUTH', REQUIRED);
  wallet = await world.newWallet();
  for (const body of [claw, auth.fields]) {
    const path = `/v1/wallets/${wallet.id}/assets`;
    const added = await world.api('POST', path, { token: world.token, body });
    assert.equal(added.status, 201, added.text);
  }
});
after(() => world.stop());

const environment = () => ({ ...world.environment, WITHDRAW_VALID_SECONDS: '600' });

async function command(...args: string[]): Promise<string> {
  const { code, output } = await teller(args, environment());
  assert.equal(code, 0, output);
  return output;
}

/** The issuer does it, by a command of the sandbox. Gives the hash. */
async function issuer(...args: string[]): Promise<string> {
  const output = await command('sandbox', ...args);
  return /transaction ([0-9a-f]{64})/.exec(output)?.[1] ?? assert.fail(output);
}

const get = async (path: string, token = wallet.api_key): Promise<any> => {
  const { status, body, text } = await world.api('GET', `/v1/wallets/${wallet.id}/${path}`, { token });
  assert.equal(status, 200, text);
  return body.data;
};
const adjustments = async (): Promise<any[]> => (await get('transactions?type=adjustment')).items;
const adjustmentBy = (hash: string) =>
  eventually(`the adjustment of ${hash}`, async () =>
    (await adjustments()).find(({ stellar_tx_hash }) => stellar_tx_hash === hash),
  );

async function metric(text: string): Promise<void> {
  const metrics = /Metrics +(\S+)/.exec(world.service.output())?.[1] ?? '';
  const shown = await (await fetch(metrics)).text();
  assert.ok(shown.includes(`\n${text}\n`), text);
}

describe('what others do to a wallet', () => {
  it('a clawback is an adjustment of the amount: listed, found by its hash, read by its id, in the statistics', async () => {
    // Recorded before the clawback, and not in one transaction with it: the order of the list is that of the records.
    await world.depositsOf(wallet, await issuer('pay', wallet.account, '7', '--asset', 'CLAWUSD'));
    const hash = await issuer('claw-back', wallet.account, '2.5000001', '--asset', 'CLAWUSD');
    const { id, created_at, ...row } = await adjustmentBy(hash);
    assert.match(id, /^adj_/);
    assert.ok(Math.abs(Date.parse(created_at) - Date.now()) < 60_000);
    const amount_stroops = 25_000_001n;
    assert.deepEqual(row, {
      type: 'adjustment',
      below_minimum: false,
      status: 'confirmed',
      reason: 'clawback',
      ...claw,
      amount_stroops,
      fee_stroops: null,
      counterparty: claw.asset_issuer,
      address_label: null,
      stellar_tx_hash: hash,
      memo_id: null,
      memo_text: null,
      reference: null,
      payout_id: null,
      payout_row: null,
    });
    const [found, ...more] = (await get(`transactions?search=${hash.slice(0, 20)}`)).items;
    assert.deepEqual([found.id, more], [id, []]);
    const types = (await get('transactions')).items.map(({ type }: any) => type);
    assert.deepEqual(types.slice(0, 2), ['adjustment', 'deposit'], 'newest first, in one list');
    const { operation_index, event_index, ledger, ...read } = await get(`adjustments/${id}`);
    assert.deepEqual([operation_index, event_index, typeof ledger], [0n, 0n, 'bigint']);
    assert.deepEqual(read, {
      id,
      created_at,
      wallet_id: wallet.id,
      ...claw,
      amount_stroops,
      reason: 'clawback',
      caused_by: claw.asset_issuer,
      stellar_tx_hash: hash,
    });
    // Two days: midnight may have passed.
    const { days } = await get(`statistics?days=2&asset=${claw.asset_code}:${claw.asset_issuer}`);
    const sum = (name: string) => days.reduce((total: bigint, day: any) => total + day[name], 0n);
    assert.deepEqual([sum('adjustments_count'), sum('adjustments_stroops')], [1n, amount_stroops]);
    const { items } = await get('balances');
    const balance = items.find(({ asset_code }: Asset) => asset_code === 'CLAWUSD');
    assert.equal(balance.amount_stroops, 7n * UNIT - amount_stroops);
  });

  it('the wallet’s key and its owner read an adjustment; for others, and as another wallet’s, it is 404', async () => {
    const [{ id }] = await adjustments();
    assert.deepEqual(await get(`adjustments/${id}`, world.token), await get(`adjustments/${id}`));
    const other = await world.newWallet();
    const asked = [
      [`/v1/wallets/${wallet.id}/adjustments/${id}`, other.api_key],
      [`/v1/wallets/${other.id}/adjustments/${id}`, world.token],
      [`/v1/wallets/${wallet.id}/adjustments/adj_unknown`, world.token],
    ] as const;
    for (const [path, token] of asked)
      assert.equal((await world.api('GET', path, { token })).status, 404, path);
    assert.equal((await world.api('GET', `/v1/wallets/${wallet.id}/adjustments/${id}`)).status, 401);
    const wrong = await world.api('GET', `/v1/wallets/${wallet.id}/transactions?type=loss`, {
      token: wallet.api_key,
    });
    assertFault(wrong, 'type');
  });

  it('each state of a trust line that an issuer sets is an adjustment of 0 with its reason, and a repeated state is not an adjustment', async () => {
    const done: [string, string | null][] = [];
    for (const [to, reason] of [
      ['full', 'authorized'],
      ['full', null],
      ['maintain_liabilities', 'maintain_liabilities'],
      ['none', 'authorization_revoked'],
      ['none', null],
      ['full', 'authorized'],
    ] as const)
      done.push([await auth.authorize(wallet.account, to), reason]);
    await adjustmentBy(done.at(-1)?.[0] ?? '');
    const listed = (await adjustments()).filter(({ asset_code }) => asset_code === 'AUTH').reverse();
    assert.deepEqual(
      listed.map(({ stellar_tx_hash, reason, amount_stroops, counterparty }) => [
        stellar_tx_hash,
        reason,
        amount_stroops,
        counterparty,
      ]),
      done.flatMap(([hash, reason]) => (reason ? [[hash, reason, 0n, auth.fields.asset_issuer]] : [])),
    );
  });

  it('explain says what was done, and names the adjustment; or that nothing changed', async () => {
    const rows = await adjustments();
    const messages: [string, string, RegExp][] = [
      ['clawback', 'clawed_back', /^The issuer clawed back an amount of its asset from the account\./],
      [
        'authorization_revoked',
        'authorization_revoked',
        /^It changed the authorization of the account: it may neither/,
      ],
      [
        'authorized',
        'authorized',
        /^It changed the authorization of the account: it may take and pay the asset\./,
      ],
    ];
    for (const [reason, code, message] of messages) {
      const row = rows.find((each) => each.reason === reason);
      const [operation] = (await get(`explain/${row.stellar_tx_hash}`)).operations;
      assert.deepEqual([operation.reason, operation.credited, operation.deposits], [code, false, []]);
      assert.match(operation.message, message);
      assert.match(operation.message, new RegExp(`It is adjustment ${row.id}\\.$`));
      assert.deepEqual(operation.adjustments, [await get(`adjustments/${row.id}`)]);
    }
    const repeated = await auth.authorize(wallet.account, 'full');
    const [nothing] = (await get(`explain/${repeated}`)).operations;
    assert.deepEqual([nothing.reason, nothing.adjustments], ['authorization_unchanged', []]);
  });

  it('the reconciliation agrees to the stroop, with a sum of its own, in the API and for `teller reconcile`', async () => {
    const output = await eventually('a comparison', async () => {
      const said = await teller(['reconcile', wallet.id], environment());
      return said.output.includes('could not be compared') ? null : said.output;
    });
    assert.match(output, /1 of 1 wallets agree with the ledger, 0 differ/);
    assert.match(output, /asset +opening +deposits +withdrawals +adjustments +fees +balance +difference\n/);
    assert.match(output, /CLAWUSD:G\w+ +0 +70000000 +0 +25000001 +0 +44999999 +0\n/);
    const { agrees, items } = await get('reconciliation');
    assert.equal(agrees, true);
    const item = items.find(({ asset_code }: Asset) => asset_code === 'CLAWUSD');
    assert.deepEqual(
      [item.deposits_stroops, item.adjustments_stroops, item.expected_stroops, item.balance_stroops],
      [70_000_000n, 25_000_001n, 44_999_999n, 44_999_999n],
    );
  });

  it('each is one line of the log and one count of the metric', async () => {
    const log = world.service.output();
    for (const { id } of await adjustments())
      assert.equal(log.split('\n').filter((line) => line.includes(id)).length, 1, id);
    await metric('teller_adjustments_total{reason="clawback"} 1');
    await metric('teller_adjustments_total{reason="authorization_revoked"} 1');
    await metric('teller_adjustments_total{reason="authorized"} 2');
  });

  it('a lost row is an alarm that names the transaction, and `teller backfill` records it again', async () => {
    // A new one: the search for a cause reads the last ledgers only.
    const row = await adjustmentBy(await issuer('claw-back', wallet.account, '1', '--asset', 'CLAWUSD'));
    await world.query('delete from adjustments where id = $1', [row.id]);
    const [operation] = (await get(`explain/${row.stellar_tx_hash}`)).operations;
    assert.match(operation.message, /It should be an adjustment, but is not recorded: run "teller backfill/);
    const differing = await eventually('a difference', async () => {
      const said = await teller(['reconcile', wallet.id], environment());
      return said.code === 1 ? said.output : null;
    });
    assert.match(differing, new RegExp(`${row.stellar_tx_hash} not_booked`));
    assert.match(await command('backfill', '--from-ledger', '2'), / 1 adjustments, /);
    const again = await adjustmentBy(row.stellar_tx_hash);
    assert.equal(again.amount_stroops, row.amount_stroops);
  });
});
