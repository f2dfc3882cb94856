/** What customers order: payments that come to something, and others that must not. */
import { seededKeypair } from '../../sandbox/virtual-clock.ts';
import { muxedOf } from '../oracle/credits.ts';
import { amountOf, type Order } from '../oracle/evidence.ts';
import type { SimulatedWallet } from './accounts.ts';
import type { Desk } from './desk.ts';

/** Of which an order is made. */
type Draft = {
  desk: Desk;
  wallet: SimulatedWallet;
  serial: number;
  amount_stroops: bigint;
  receiver: string;
  /** Has no account on the ledger. */
  nobody: string;
};

type Kind = keyof typeof KINDS;
type Made = Pick<Order, 'destination'> & Partial<Order>;

/** The next order, of any kind. A third of them is of issued assets. */
export function anyOrder(desk: Desk): Order {
  return newOrder(desk, OFTEN, desk.serial++);
}

export function newOrder(desk: Desk, kinds: readonly Kind[], serial: number): Order {
  const { random, accounts, seed } = desk;
  const wallet = random.pick(accounts.wallets);
  const about = { key: `key-${serial}`, serial, wallet_id: wallet.id, asset: 'native', memo_id: null };
  const amount_stroops = amountOf(random.integer(200_000, 500_000_000), serial);
  const draft = {
    ...{ desk, wallet, serial, amount_stroops },
    receiver: random.pick(accounts.receivers).publicKey(),
    nobody: seededKeypair(`${seed}/missing`, serial).publicKey(),
  };
  return { ...about, amount_stroops, ...KINDS[random.pick(kinds)](draft) };
}

const KINDS = {
  plain: ({ receiver }: Draft): Made => ({ destination: receiver }),
  memo: ({ receiver, serial }: Draft): Made => ({ destination: receiver, memo_id: BigInt(serial) }),
  muxed: ({ receiver, serial }: Draft): Made => ({ destination: muxedOf(receiver, BigInt(serial)) }),
  careful: ({ desk: { accounts, random }, serial }: Draft): Made => ({
    destination: accounts.careful.publicKey(),
    memo_id: random.chance(0.5) ? BigInt(serial) : null,
  }),
  ambiguous: ({ receiver, serial }: Draft): Made => ({
    destination: muxedOf(receiver, BigInt(serial)),
    memo_id: BigInt(serial) + 1n,
  }),
  create: ({ nobody, amount_stroops }: Draft): Made => ({
    destination: nobody,
    amount_stroops: amount_stroops + 10_000_000n * 10n,
  }),
  nowhere: ({ nobody, serial }: Draft): Made => ({ destination: muxedOf(nobody, BigInt(serial)) }),
  'too small': ({ nobody, serial }: Draft): Made => ({
    destination: nobody,
    amount_stroops: amountOf(300_000, serial),
  }),
  itself: ({ wallet }: Draft): Made => ({ destination: wallet.account }),
  'another of ours': ({ desk }: Draft): Made => ({
    destination: desk.random.pick(desk.accounts.wallets).account,
  }),
  'an address of ours': ({ desk, wallet }: Draft): Made => ({
    destination: addressOfOurs(desk) ?? wallet.account,
  }),
  'too much': ({ receiver, serial }: Draft): Made => ({
    destination: receiver,
    amount_stroops: amountOf(9e15, serial),
  }),
  nonsense: ({ receiver }: Draft): Made => ({ destination: `${receiver.slice(0, -1)}?` }),
  // Some of the wallets have no trust line, and some of the receivers; some wallets have nothing yet; some trust lines
  // are not approved.
  issued: (draft: Draft): Made => ({ ...issued(draft), destination: draft.receiver }),
  'issued muxed': (draft: Draft): Made => ({
    ...issued(draft),
    destination: muxedOf(draft.receiver, BigInt(draft.serial)),
  }),
  'issued to another of ours': (draft: Draft): Made => ({
    ...issued(draft),
    destination: draft.desk.random.pick(draft.desk.accounts.wallets).account,
  }),
  'issued to an address of ours': (draft: Draft): Made => ({
    ...issued(draft),
    destination: addressOfOurs(draft.desk) ?? draft.wallet.account,
  }),
  'issued to itself': (draft: Draft): Made => ({ ...issued(draft), destination: draft.wallet.account }),
  'issued to one with little room': (draft: Draft): Made => ({
    ...issued(draft),
    destination: draft.desk.accounts.narrow.publicKey(),
  }),
  'issued to the issuer': (draft: Draft): Made => {
    const { asset, ...rest } = issued(draft);
    return {
      ...rest,
      asset,
      destination: asset.split(':')[1] ?? '',
      allow_issuer: draft.desk.random.chance(0.5),
    };
  },
  'issued nowhere': (draft: Draft): Made => ({ ...issued(draft), destination: draft.nobody }),
  'issued too much': (draft: Draft): Made => ({
    ...issued(draft),
    destination: draft.receiver,
    amount_stroops: amountOf(9e15, draft.serial),
  }),
};

/** Of what its wallet may have; now and then of another asset. */
function issued({ desk, wallet, serial }: Draft): { asset: string; amount_stroops: bigint } {
  const { random, accounts } = desk;
  const held = accounts.issues.filter(({ asset }) => desk.lineOf(wallet.account, asset) !== undefined);
  const { asset } = random.pick(held.length > 0 && random.chance(0.85) ? held : accounts.issues);
  const most = random.pick([300_000, 10_000_000, 300_000_000]);
  return { asset: asset.toString(), amount_stroops: amountOf(random.integer(200_000, most), serial) };
}

function addressOfOurs({ random, addresses }: Desk): string | null {
  if (addresses.length === 0) return null;
  const { account, memo_id } = random.pick(addresses);
  return muxedOf(account, memo_id);
}

const OFTEN: readonly Kind[] = [
  ...(['plain', 'plain', 'plain', 'plain', 'memo', 'memo', 'muxed', 'muxed', 'careful'] as const),
  ...(['ambiguous', 'create', 'create', 'nowhere', 'too small', 'itself', 'another of ours'] as const),
  ...(['an address of ours', 'an address of ours', 'too much', 'nonsense'] as const),
  ...(['issued', 'issued', 'issued', 'issued muxed', 'issued to another of ours'] as const),
  ...(['issued to an address of ours', 'issued to itself', 'issued to one with little room'] as const),
  ...(['issued to the issuer', 'issued nowhere', 'issued too much'] as const),
];
