/**
 * An ingester that starts, and two ledgers that pay in: with and without an address, by operations and by a contract,
 * and by a transaction that fails.
 */

import { Asset, Memo, Operation } from '@stellar/stellar-sdk/base';
import { createAddress } from '../../src/deposits/addresses/create-address.ts';
import { registerEndpoint } from '../../src/webhooks/endpoints/endpoints.ts';
import { muxedOf } from '../oracle/credits.ts';
import { onId } from '../support/acting.ts';
import { transferFromAccount } from './asset-contracts.ts';
import { pastAllGates, type Scenario, SMALLEST } from './exhaustive.ts';
import type { Contents } from './simulated-network.ts';
import type { SimulatedService } from './simulated-service.ts';

export const scenarioOfDeposits: Scenario = {
  name: 'deposits',
  setting: { ...SMALLEST, roles: ['ingester'] },
  async play(world) {
    const { scheduler, network, accounts } = world;
    const [wallet] = accounts.wallets;
    const [, one, other, third] = accounts.payers;
    if (!wallet || !one || !other || !third) throw new Error('the accounts are missing');
    const { account } = wallet;
    const address = await makeKnown(world, wallet.id, account);
    const muxed = muxedOf(account, address.memo_id);
    const native = Asset.native();
    const pay = (destination: string, amount: string) =>
      Operation.payment({ destination, asset: native, amount });
    const send = (from: typeof one, contents: Contents) => network.submit(network.build(from, contents));

    const memo = Memo.id(`${address.memo_id}`);
    send(one, { operations: [pay(account, '1'), pay(muxedOf(account, 7n), '2'), pay(muxed, '3')], memo });
    send(other, { operations: [pay(muxed, '4'), pay(account, '900000000000')] });
    await scheduler.sleep(world.world, 5_000);
    send(one, { operations: [pay(account, '5')], memo: Memo.text('hello') });
    send(third, transferFromAccount(third, { asset: native, to: muxed, amount: 6n }));
    await scheduler.sleep(world.world, 5_000);
    while (!(await isRead(world))) await scheduler.sleep(world.world, 500);
  },
};

async function makeKnown(world: SimulatedService, wallet_id: string, account: string) {
  const { desk } = world;
  const metadata = '{"customer":1}';
  return pastAllGates(world, async (deps) => {
    const address = await createAddress(deps, onId(wallet_id), { label: null, metadata });
    desk.addresses.push({ id: address.id, wallet_id, account, memo_id: address.memo_id, metadata });
    for (const url of ['https://93.184.216.34/one', 'https://93.184.216.34/two'])
      await registerEndpoint(deps, onId(wallet_id), { url, description: null });
    return address;
  });
}

async function isRead({ office, network }: SimulatedService): Promise<boolean> {
  const [cursor] = await office.ask('select ledger from deposit_cursor');
  return cursor?.ledger >= (network.transactions.at(-1)?.ledger ?? 0);
}
