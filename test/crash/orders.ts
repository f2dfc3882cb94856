/** What the clients of a service that is killed order, native and issued: payments that come to something, and others. */
import { Account, Keypair, MuxedAccount } from '@stellar/stellar-sdk/base';
import { amountOf } from '../oracle/evidence.ts';
import type { Order } from '../oracle/order.ts';
import type { Random } from '../support/random.ts';
import type { LoadState, Place } from './load-state.ts';
import { listAll } from './persistent-client.ts';
import { newTarget } from './targets.ts';

let serial = 0;

/** The serial number is in the amount, so that a payment on the ledger shows whose it is. */
export async function newOrder(state: LoadState, wallet: Place, random: Random): Promise<Order> {
  const number = ++serial;
  const unique_id = 2n ** 60n + BigInt(number);
  const isIssued = state.assets !== null && random.chance(0.35);
  const order = {
    serial: number,
    key: `order-${number}`,
    wallet_id: wallet.id,
    asset: isIssued ? `${state.assets?.held}` : 'native',
    memo_id: null as bigint | null,
  };
  const amount_stroops = amountOf(random.integer(1, 20_000_000), number);
  const contracts = state.assets?.contracts ?? [];
  const kind = random.pick([
    ...(contracts.length > 0 ? (['contract', 'contract'] as const) : []),
    'memo',
    'memo',
    'muxed',
    'muxed',
    'own',
    'create',
    'nowhere',
    'too much',
  ] as const);
  switch (kind) {
    // Of the native asset: a transfer that cannot be simulated is refused, and every order here has a row.
    case 'contract':
      return { ...order, asset: 'native', destination: random.pick(contracts), amount_stroops };
    case 'memo':
      return { ...order, destination: state.sink, memo_id: unique_id, amount_stroops };
    case 'muxed':
      return { ...order, destination: muxedOf(state.sink, unique_id), amount_stroops };
    case 'own': {
      const { token } = state.journal;
      const { account } = random.pick(
        isIssued && state.asset_targets.length > 0 ? state.asset_targets : state.targets,
      );
      const wallets = await listAll(state.service, '/v1/wallets', token);
      const owner = wallets.find((one) => one.account === account);
      const { address } = await newTarget(state, owner, token);
      return { ...order, destination: address, amount_stroops };
    }
    case 'create':
      return {
        ...order,
        destination: Keypair.random().publicKey(),
        amount_stroops: amount_stroops + 10_000_000n,
      };
    case 'nowhere':
      return { ...order, destination: Keypair.random().publicKey(), amount_stroops: amountOf(0, number) };
    case 'too much':
      return {
        ...order,
        destination: state.sink,
        memo_id: unique_id,
        amount_stroops: amountOf(10 ** 15, number),
      };
  }
}

function muxedOf(account: string, id: bigint): string {
  return new MuxedAccount(new Account(account, '0'), `${id}`).accountId();
}
