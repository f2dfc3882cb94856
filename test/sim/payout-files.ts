/** The files that people upload: most can be paid, some have a row that must be refused, or a key that is used elsewhere. */
import type { Order } from '../oracle/order.ts';
import type { PayoutFile } from '../oracle/payout-evidence.ts';
import type { Desk } from './desk.ts';
import { newOrder } from './orders.ts';

const MOST_ROWS = 6;
type Kinds = Parameters<typeof newOrder>[1];

const NATIVE: Kinds = [
  'plain',
  'plain',
  'plain',
  'memo',
  'memo',
  'muxed',
  'muxed',
  'create',
  'create with others',
];
/** Of assets that the wallet has. The ledger fails some of them: no trust line, or no room. */
const ISSUED: Kinds = [
  'issued',
  'issued',
  'issued muxed',
  'issued to one with little room',
  'issued nowhere',
];
/** Each refuses the whole file. A contract is paid by a withdrawal. */
const FAULTY: Kinds = ['nowhere', 'ambiguous', 'too small', 'itself', 'nonsense', 'to a contract'];
const FAULTY_SHARE = 0.12;
/** It is accepted with a warning, and the payout stops when the wallet has too little. */
const TOO_MUCH_SHARE = 0.04;
const DOUBLED_SHARE = 0.15;
const SHARED_KEY_SHARE = 0.15;

export function newPayoutFile(desk: Desk): PayoutFile {
  const { random, accounts, lineOf } = desk;
  const wallet = random.pick(accounts.wallets);
  const held = accounts.issues.filter(({ asset }) => lineOf(wallet.account, asset) !== undefined);
  const issues = held.length > 0 ? held : accounts.issues;
  const narrowed = { ...desk, accounts: { ...accounts, wallets: [wallet], issues } };
  const order = (kinds: Kinds) => newOrder(narrowed, kinds, desk.serial++);
  const payable: Kinds = held.length > 0 ? [...NATIVE, ...ISSUED] : NATIVE;
  const rows = Array.from({ length: random.integer(1, MOST_ROWS) }, () => order(payable));
  if (random.chance(FAULTY_SHARE)) rows.push(order(FAULTY));
  if (random.chance(TOO_MUCH_SHARE)) rows.push(order(['too much']));
  const [first] = rows;
  if (first && random.chance(DOUBLED_SHARE)) rows.push({ ...first, key: `${first.key}-again` });
  if (random.chance(SHARED_KEY_SHARE)) rows.push(...keyOfOthers(desk, wallet.id, order(['plain'])));
  const name = `file ${desk.serial++}`;
  return { name, wallet_id: wallet.id, confirm_duplicates: random.chance(0.5), rows };
}

/** The key of a withdrawal or of a row, with its payment or with another. */
function keyOfOthers({ random, calls, payout_uploads }: Desk, wallet_id: string, other: Order): Order[] {
  const known = [...calls.map(({ order }) => order), ...payout_uploads.flatMap(({ file }) => file.rows)];
  const own = known.filter((order) => order.wallet_id === wallet_id && order.asset !== 'unknown');
  if (own.length === 0) return [other];
  const taken = random.pick(own);
  return [random.chance(0.5) ? taken : { ...other, key: taken.key }];
}
