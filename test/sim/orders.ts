/** What customers order: payments that come to something, and others that must not. */
import { seededKeypair } from '../../sandbox/virtual-clock.ts';
import { muxedOf } from '../oracle/credits.ts';
import { amountOf } from '../oracle/evidence.ts';
import type { Order } from '../oracle/order.ts';
import type { SimulatedWallet } from './accounts.ts';
import type { Desk } from './desk.ts';

/** Room for the serial number of an order, and as much again. */
const LITTLE_STROOPS = 200_000n;

/** Of which an order is made. */
type Draft = {
  desk: Desk;
  wallet: SimulatedWallet;
  serial: number;
  amount_stroops: bigint;
  receiver: string;
  /** Has no account on the ledger. */
  nobody: string;
  /** Has none either, until one of several orders creates the account. */
  newcomer: string;
};

/** So many orders, one after the other, may name the same newcomer. */
const ORDERS_PER_NEWCOMER = 24;

type Kind = keyof typeof KINDS;
type Made = Pick<Order, 'destination'> & Partial<Order>;

/** The next order, of any kind. A third of them is of issued assets. */
export function anyOrder(desk: Desk): Order {
  return newOrder(desk, OFTEN, desk.serial++);
}

/** Two that cannot both be paid: each is most of what a wallet has, and the simulation of either may come before the other is paid. */
export function rivalOrders(desk: Desk): Order[] {
  const { random, accounts, lineOf } = desk;
  const held = accounts.wallets.flatMap((wallet) =>
    accounts.issues
      .filter(({ asset }) => (lineOf(wallet.account, asset)?.balance_stroops ?? 0n) > LITTLE_STROOPS)
      .map((issue) => ({ wallet, issue })),
  );
  if (held.length === 0) return [anyOrder(desk)];
  const { wallet, issue } = random.pick(held);
  const narrowed = { ...desk, accounts: { ...accounts, wallets: [wallet], issues: [issue] } };
  return [0, 1].map(() => newOrder(narrowed, ['most of an asset to a contract'], desk.serial++));
}

export function newOrder(desk: Desk, kinds: readonly Kind[], serial: number): Order {
  const { random, accounts, seed } = desk;
  const wallet = random.pick(accounts.wallets);
  const about = { key: `key-${serial}`, serial, wallet_id: wallet.id, asset: 'native', memo_id: null };
  const amount_stroops = amountOf(random.integer(200_000, 500_000_000), serial);
  const draft = {
    desk,
    wallet,
    serial,
    amount_stroops,
    receiver: random.pick(accounts.receivers).publicKey(),
    nobody: seededKeypair(`${seed}/missing`, serial).publicKey(),
    newcomer: seededKeypair(`${seed}/newcomer`, Math.floor(serial / ORDERS_PER_NEWCOMER)).publicKey(),
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
  'create with others': ({ newcomer, amount_stroops }: Draft): Made => ({
    destination: newcomer,
    amount_stroops: amount_stroops + 10_000_000n * 10n,
  }),
  'little with others': ({ newcomer, serial }: Draft): Made => ({
    destination: serial % 2 === 0 ? newcomer : muxedOf(newcomer, BigInt(serial)),
    amount_stroops: amountOf(300_000, serial),
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
  'to a contract': ({ desk }: Draft): Made => ({ destination: liveContract(desk) }),
  'to no contract': ({ desk }: Draft): Made => ({
    destination: desk.random.pick(desk.accounts.contracts.refused),
  }),
  'to a contract with a memo': ({ desk, serial }: Draft): Made => ({
    destination: liveContract(desk),
    memo_id: BigInt(serial),
  }),
  'issued to a contract': (draft: Draft): Made => ({
    ...issued(draft),
    destination: liveContract(draft.desk),
  }),
  // The second of two payments finds too little: the simulation cannot know which one that is.
  'most of an asset to a contract': (draft: Draft): Made => ({
    ...mostOfAsset(draft),
    destination: liveContract(draft.desk),
  }),
  'issued nowhere': (draft: Draft): Made => ({ ...issued(draft), destination: draft.nobody }),
  'issued too much': (draft: Draft): Made => ({
    ...issued(draft),
    destination: draft.receiver,
    amount_stroops: amountOf(9e15, draft.serial),
  }),
};

/** Picks an asset that the wallet may have, now and then another one. */
function issued({ desk, wallet, serial }: Draft): { asset: string; amount_stroops: bigint } {
  const { random, accounts } = desk;
  const held = accounts.issues.filter(({ asset }) => desk.lineOf(wallet.account, asset) !== undefined);
  const { asset } = random.pick(held.length > 0 && random.chance(0.85) ? held : accounts.issues);
  const most = random.pick([300_000, 10_000_000, 300_000_000]);
  return { asset: asset.toString(), amount_stroops: amountOf(random.integer(200_000, most), serial) };
}

/** Nearly all that its wallet has of it just now. */
function mostOfAsset(draft: Draft): { asset: string; amount_stroops: bigint } {
  const { desk, wallet, serial } = draft;
  const held = desk.accounts.issues.flatMap(({ asset }) => {
    const balance_stroops = desk.lineOf(wallet.account, asset)?.balance_stroops ?? 0n;
    return balance_stroops > LITTLE_STROOPS ? [{ asset, balance_stroops }] : [];
  });
  if (held.length === 0) return issued(draft);
  const { asset, balance_stroops } = desk.random.pick(held);
  const amount_stroops = amountOf(Number(balance_stroops - LITTLE_STROOPS / 2n), serial);
  return { asset: asset.toString(), amount_stroops };
}

function liveContract({ random, accounts }: Desk): string {
  return random.pick(accounts.contracts.live);
}

function addressOfOurs({ random, addresses }: Desk): string | null {
  if (addresses.length === 0) return null;
  const { account, memo_id } = random.pick(addresses);
  return muxedOf(account, memo_id);
}

const OFTEN: readonly Kind[] = [
  ...(['plain', 'plain', 'plain', 'plain', 'memo', 'memo', 'muxed', 'muxed', 'careful'] as const),
  ...(['ambiguous', 'create', 'nowhere', 'too small', 'itself', 'another of ours'] as const),
  ...(['create with others', 'create with others', 'little with others'] as const),
  ...(['an address of ours', 'an address of ours', 'too much', 'nonsense'] as const),
  ...(['issued', 'issued', 'issued', 'issued muxed', 'issued to another of ours'] as const),
  ...(['issued to an address of ours', 'issued to itself', 'issued to one with little room'] as const),
  ...(['issued to the issuer', 'issued nowhere', 'issued too much'] as const),
  ...(['to a contract', 'to a contract', 'to no contract', 'to a contract with a memo'] as const),
  ...(['issued to a contract', 'issued to a contract', 'most of an asset to a contract'] as const),
];
