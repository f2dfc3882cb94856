/** `GET /v1/wallets/:id/reconciliation` and `teller reconcile`: deposits less withdrawals, adjustments and fees are what the ledger has. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { tellerStartedOnce as teller } from '../support/commands.ts';
import { eventually } from '../support/eventually.ts';
import { startRunningService } from '../support/running-service.ts';

const FUNDED = 100_000_000_000n;

const world = await startRunningService({}, { embedded: true });
after(() => world.stop());
const wallet = await world.newWallet();

const read = (token = wallet.api_key, id = wallet.id) =>
  world.api('GET', `/v1/wallets/${id}/reconciliation`, { token });
const command = (...args: string[]) =>
  teller(['reconcile', ...args], { DATA_DIR: world.service.data_dir, WITHDRAW_VALID_SECONDS: '600' });

/** On a loaded machine the reading of ledgers may be behind for a moment: then wallets cannot be compared. */
const comparison = (...args: string[]) =>
  eventually('wallets that can be compared', async () => {
    const result = await command(...args);
    return result.output.includes('could not be compared') ? null : result;
  });

describe('reconciliation', () => {
  it('says at which ledger books and balance agree, for the wallet’s key and its owner’s login alone', async () => {
    const { status, body } = await read();
    assert.equal(status, 200);
    const { agrees, ledger, checked_at, items } = body.data;
    assert.deepEqual([agrees, typeof ledger], [true, 'bigint']);
    assert.ok(Math.abs(Date.parse(checked_at) - Date.now()) < 60_000);
    assert.deepEqual(items, [
      {
        asset_code: 'native',
        asset_issuer: null,
        opening_stroops: 0n,
        deposits_stroops: FUNDED,
        withdrawals_stroops: 0n,
        adjustments_stroops: 0n,
        fees_stroops: 0n,
        expected_stroops: FUNDED,
        balance_stroops: FUNDED,
        difference_stroops: 0n,
        agreed_ledger: ledger,
        may_explain: [],
      },
    ]);
    assert.equal((await read(world.token)).status, 200);
    const other = await world.newWallet();
    assert.equal((await read(other.api_key)).status, 404);
    assert.equal((await read((await world.newUser()).token)).status, 404);
    assert.equal((await world.api('GET', `/v1/wallets/${wallet.id}/reconciliation`)).status, 401);
  });

  it('agrees after a withdrawal, fee and all, when `teller reconcile` compares again', async () => {
    const other = await world.newWallet();
    const { body } = await world.withdraw(wallet, {
      destination: other.account,
      amount_stroops: 20_000_001n,
    });
    const { fee_stroops } = body.data;
    const { code, output } = await comparison();
    assert.equal(code, 0, output);
    assert.match(output, /(\d+) of \1 wallets agree with the ledger, 0 differ/);
    const [item] = (await read()).body.data.items;
    assert.deepEqual([item.withdrawals_stroops, item.fees_stroops], [20_000_001n, fee_stroops]);
    assert.equal(item.balance_stroops, FUNDED - 20_000_001n - fee_stroops);
  });

  it('a difference is an alarm: exit code 1, its transaction, /readyz, the metric, the log; mended, it is over', async () => {
    // A new one: the search for a cause reads the last ledgers only.
    const { hash } = await world.ledger.pay(await world.ledger.fund(), wallet.account, 10n);
    const [{ stellar_tx_hash, id }] = await world.depositsOf(wallet, hash);
    await world.query('update deposits set amount_stroops = amount_stroops - 1 where id = $1', [id]);
    const { code, output } = await comparison(wallet.id);
    assert.equal(code, 1, output);
    assert.match(output, new RegExp(`${stellar_tx_hash} booked_differently`));
    const { body } = await read();
    assert.equal(body.data.agrees, false);
    assert.equal(body.data.items[0].difference_stroops, 1n);
    const named = body.data.items[0].may_explain.map(({ stellar_tx_hash: hash }: any) => hash);
    assert.ok(named.includes(stellar_tx_hash));
    const ready = await eventually('readiness that tells of it', async () => {
      const answer = await world.api('GET', '/readyz');
      return answer.body.data.reconciliation.ok ? null : answer;
    });
    assert.equal(ready.status, 200);
    assert.match((await world.service.checks()).reconciliation?.message ?? '', /1 wallets differ/);
    const metrics = /Metrics +(\S+)/.exec(world.service.output())?.[1] ?? '';
    await eventually('the metric', async () =>
      /^teller_wallets_different 1$/m.test(await (await fetch(metrics)).text()),
    );

    await world.query('update deposits set amount_stroops = amount_stroops + 1 where id = $1', [id]);
    const mended = await comparison(wallet.id);
    assert.equal(mended.code, 0, mended.output);
    assert.equal((await read()).body.data.agrees, true);
  });

  it('`--accept` makes a difference that is named part of the opening balance, with its reason', async () => {
    const [{ id }] = await world.query('select id from deposits where wallet_id = $1 limit 1', [wallet.id]);
    await world.query('update deposits set amount_stroops = amount_stroops + 5 where id = $1', [id]);
    assert.equal((await comparison(wallet.id)).code, 1);
    const refused = [
      await command('--accept', 'typo', '--difference-stroops', '-5'),
      await command(wallet.id, '--accept', 'typo'),
      await command(wallet.id, '--accept', 'typo', '--difference-stroops', '-6'),
      await command(wallet.id, '--accept', 'typo', '--difference-stroops', '-5.0'),
    ];
    assert.deepEqual(
      refused.map(({ code }) => code),
      [2, 2, 2, 2],
    );
    assert.match(refused[1]?.output ?? '', /differs by -5 stroops .*--difference-stroops -5\n/);
    const accepted = await command(wallet.id, '--accept', 'a typo of ours', '--difference-stroops', '-5');
    assert.equal(accepted.code, 0, accepted.output);
    assert.match(accepted.output, /is -5 \(native\)/);
    const [entry] = await world.query(
      "select entry from audit_log where action = 'command.run' order by seq desc",
    );
    const told = JSON.parse(entry.entry);
    assert.deepEqual([told.actor.kind, told.target.id], ['operator', 'reconcile']);
    assert.equal(told.after.options.accept, 'a typo of ours');
    const { code, output } = await comparison(wallet.id);
    assert.equal(code, 0, output);
    const [row] = await world.query(
      `select opening_stroops::text, opening_reason from reconciliations where wallet_id = $1`,
      [wallet.id],
    );
    assert.deepEqual({ ...row }, { opening_stroops: '-5', opening_reason: 'a typo of ours' });
    const unknown = await command('wal_unknown');
    assert.equal(unknown.code, 2);
    assert.match(unknown.output, /There is no wallet wal_unknown/);
  });

  it('ends with 2, not with 1 as for a difference, when it is misspelt or there is no service to ask', async () => {
    assert.equal((await command('--al')).code, 2);
    assert.equal((await teller(['reconcile'], { DATA_DIR: `${world.service.data_dir}/none` })).code, 2);
    assert.equal((await teller(['reconcile', '--help'], {})).code, 0);
  });
});
