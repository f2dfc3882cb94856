/** Strangers who pay in, in every way that the ledger knows, and some that come to nothing. */
import {
  type Asset,
  type Keypair,
  Memo,
  Operation,
  TransactionBuilder,
  type xdr,
} from '@stellar/stellar-sdk/base';
import { SANDBOX_PASSPHRASE } from '../../sandbox/passphrase.ts';
import { seededKeypair } from '../../sandbox/virtual-clock.ts';
import { muxedOf } from '../oracle/credits.ts';
import type { ReturnedAddress } from '../oracle/deposit-evidence.ts';
import { toUnits } from '../support/ledger.ts';
import { seededNonce, transferFromAccount, transferFromContract } from './asset-contracts.ts';
import type { Desk } from './desk.ts';
import type { Contents, SimulatedNetwork } from './simulated-network.ts';

export type Street = { desk: Desk; network: SimulatedNetwork; rates: PayerRates };

export type PayerRates = {
  /** Longest pause between two transactions of one payer. */
  pause_ms: number;
  /** How many operations a transaction has; one is drawn. */
  operations: readonly number[];
};

/** What is wanted of it is over after so long, so that a run comes to an end. */
const VALID_SECONDS = 60;
const CONTRACT_SHARE = 0.25;
const FEE_BUMP_SHARE = 0.25;
const DOOMED_SHARE = 0.08;
/** More than one transaction pays. */
const ROOM_STROOPS = 1_000_000_000_000n;

/** One transaction after another, until the desk closes. */
export async function payIn(street: Street, payer: Keypair): Promise<void> {
  const throwaways: Keypair[] = [];
  const { scheduler, random, world } = street.desk;
  while (!street.desk.closing) {
    await scheduler.sleep(world, random.integer(0, street.rates.pause_ms));
    if (random.chance(CONTRACT_SHARE)) await send(street, payer, [payer], await contractCall(street, payer));
    else {
      const { contents, signers } = classic(street, payer, throwaways);
      await send(street, payer, signers, contents);
    }
  }
}

async function send(street: Street, payer: Keypair, signers: Keypair[], contents: Contents): Promise<void> {
  const { network } = street;
  const { random, scheduler, accounts } = street.desk;
  const max_time = Number(network.latest.close_time) + VALID_SECONDS;
  const inner = network.build(payer, contents, { signers, max_time });
  const bumped = random.chance(FEE_BUMP_SHARE);
  const sent = bumped ? bumpedBy(accounts.rival, inner) : inner;
  const status = network.submit(sent);
  const hash = Buffer.from(sent.hash()).toString('hex').slice(0, 8);
  scheduler.history.record('payer', `${hash}: ${contents.operations.length} operations, ${status}`);
}

function bumpedBy(sponsor: Keypair, inner: Parameters<typeof TransactionBuilder.buildFeeBumpTransaction>[2]) {
  // The base fee of the inner one, resource fees apart, is the least that a fee-bump may bid (CAP-15).
  const bump = TransactionBuilder.buildFeeBumpTransaction(sponsor, '200', inner, SANDBOX_PASSPHRASE);
  bump.sign(sponsor);
  return bump;
}

/** Memo and muxed source are no part of such a transaction. */
async function contractCall(street: Street, payer: Keypair): Promise<Contents> {
  const { random, accounts, seed } = street.desk;
  const [native, usd] = accounts.assets;
  // The issuer's own is a mint.
  const issued =
    payer === accounts.payers[0] ? { asset: usd, to: takerOf(street, usd, null) } : issuedTo(street, null);
  const isNative = payer !== accounts.payers[0] && random.chance(0.5);
  const { asset, to } = isNative || !issued.to ? { asset: native, to: destinationOf(street, null) } : issued;
  const payment = { asset, to: to ?? '', amount: amountOf(street) };
  if (random.chance(0.7) || !accounts.assets.includes(asset)) return transferFromAccount(payer, payment);
  const nonce = seededNonce(`${seed}/nonce/${street.desk.serial++}`);
  return transferFromContract(accounts.contract, payment, { ledger: street.network.latest.sequence, nonce });
}

/** What an operation needs besides its payer. */
type Bill = {
  street: Street;
  payer: Keypair;
  /** Of the address that the memo names. */
  meant: ReturnedAddress | null;
  signers: Set<Keypair>;
  throwaways: Keypair[];
  /** How many of them have been merged. */
  merging: number;
};

function classic(
  street: Street,
  payer: Keypair,
  throwaways: Keypair[],
): { contents: Contents; signers: Keypair[] } {
  const { random } = street.desk;
  const { memo, meant } = memoOf(street);
  const bill = { street, payer, meant, signers: new Set([payer]), throwaways, merging: 0 };
  const count = random.pick(street.rates.operations);
  const operations = Array.from({ length: count }, () => operationOf(bill));
  if (random.chance(DOOMED_SHARE)) operations.push(doomed(bill));
  return {
    contents: { operations: operations.slice(-100), ...(memo && { memo }) },
    signers: [...bill.signers],
  };
}

const HASH = Buffer.alloc(32, 0xc3);

function memoOf({ desk: { random, addresses } }: Street): {
  memo: Memo | null;
  meant: ReturnedAddress | null;
} {
  const meant = addresses.length > 0 ? random.pick(addresses) : null;
  const id = meant?.memo_id ?? 7n;
  const drawn = random.next();
  if (drawn < 0.5) return { memo: Memo.id(`${id}`), meant };
  if (drawn < 0.6) return { memo: Memo.text(`${id}`), meant };
  const memo = random.pick([
    null,
    null,
    Memo.id('0'),
    Memo.id(`${2n ** 64n - 1n}`),
    Memo.id(`${2n ** 53n}`),
    Memo.text(`0${id}`.slice(0, 28)),
    Memo.text('Rent Ünal'),
    Memo.text(Buffer.from([0xff, 0x00, 0xfe]) as unknown as string),
    Memo.text('a\0b'),
    Memo.hash(HASH),
    Memo.return(HASH),
  ]);
  return { memo, meant };
}

function amountOf({ desk: { random } }: Street): bigint {
  const most = random.pick([1, 1_000, 10_000_000, 1_000_000_000]);
  return BigInt(random.integer(1, most));
}

/** G… or M…, mostly of ours, and nearly always of an account that exists: one missing undoes a whole transaction. */
function destinationOf(street: Street, meant: ReturnedAddress | null): string {
  const { network } = street;
  const { random, accounts } = street.desk;
  const drawn = random.next();
  const exists = ({ account }: { account: string }) => network.exists(account) || random.chance(0.002);
  const addresses = street.desk.addresses.filter(exists);
  const wallets = accounts.wallets.filter(exists);
  if (drawn < 0.3 && meant && exists(meant)) return meant.account;
  if (drawn < 0.75 && addresses.length > 0) {
    const { account, memo_id } = random.pick(addresses);
    return muxedOf(account, memo_id);
  }
  const { account } = random.pick(wallets);
  if (drawn < 0.85) return account;
  if (drawn < 0.95) return muxedOf(account, random.pick([0n, 5n, 2n ** 53n, 2n ** 64n - 1n]));
  return random.pick(accounts.receivers).publicKey();
}

type Making = (bill: Bill) => xdr.Operation;

const WAYS: Making[] = [
  payment,
  payment,
  payment,
  payment,
  issuedPayment,
  strictSend,
  strictReceive,
  creation,
  merge,
];

function operationOf(bill: Bill): xdr.Operation {
  return bill.street.desk.random.pick(WAYS)(bill);
}

/** Who pays by this operation, if not the transaction's source: another payer, by G… or M…. */
function sourceOf({ street: { desk }, signers }: Bill): { source?: string } {
  if (!desk.random.chance(0.1)) return {};
  const other = desk.random.pick(desk.accounts.payers);
  signers.add(other);
  return { source: desk.random.chance(0.5) ? other.publicKey() : muxedOf(other.publicKey(), 3n) };
}

function payment(bill: Bill): xdr.Operation {
  const { street, meant } = bill;
  const [asset] = street.desk.accounts.assets;
  const amount = toUnits(amountOf(street));
  return Operation.payment({ destination: destinationOf(street, meant), asset, amount, ...sourceOf(bill) });
}

function issuedPayment(bill: Bill): xdr.Operation {
  const { street } = bill;
  const { asset, to: destination } = issuedTo(street, bill.meant);
  if (!destination) return payment(bill);
  return Operation.payment({ destination, asset, amount: toUnits(amountOf(street)), ...sourceOf(bill) });
}

/** Picks any asset; rarely the one whose trust lines wallets remove, because only an empty trust line can go. */
function issuedTo(street: Street, meant: ReturnedAddress | null) {
  const { random, accounts } = street.desk;
  const [, usd] = accounts.assets;
  const { asset: drawn } = random.pick(accounts.issues);
  const asset = drawn === accounts.spare.asset && random.chance(0.99) ? usd : drawn;
  return { asset, to: takerOf(street, asset, meant) };
}

/** Picks an account that can take the asset now, because otherwise the whole transaction fails; null when no account can. */
function takerOf({ desk }: Street, asset: Asset, meant: ReturnedAddress | null): string | null {
  const { random, accounts, addresses } = desk;
  const canTake = (account: string) => {
    const line = desk.lineOf(account, asset);
    return line?.authorization === 'full' && line.limit_stroops > line.balance_stroops + ROOM_STROOPS;
  };
  if (meant && canTake(meant.account) && random.chance(0.5)) return meant.account;
  const takers = accounts.wallets.map(({ account }) => account).filter(canTake);
  if (takers.length === 0) return null;
  const account = random.pick(takers);
  const own = addresses.filter((address) => address.account === account);
  return own.length > 0 && random.chance(0.6) ? muxedOf(account, random.pick(own).memo_id) : account;
}

/** One asset sent, the other one received, over what the maker offers; or one and the same. */
function route(bill: Bill) {
  const { random, accounts } = bill.street.desk;
  const [native, usd] = accounts.assets;
  const sendAsset = random.pick(accounts.assets);
  const destAsset = random.chance(0.8) ? (sendAsset === native ? usd : native) : sendAsset;
  const taker = destAsset === usd ? takerOf(bill.street, usd, bill.meant) : null;
  const destination = taker ?? destinationOf(bill.street, bill.meant);
  return { sendAsset, destAsset: taker ? usd : native, destination, path: [] };
}

function strictSend(bill: Bill): xdr.Operation {
  const sendAmount = toUnits(100n + amountOf(bill.street));
  return Operation.pathPaymentStrictSend({
    ...route(bill),
    sendAmount,
    destMin: '0.0000001',
    ...sourceOf(bill),
  });
}

function strictReceive(bill: Bill): xdr.Operation {
  const destAmount = toUnits(amountOf(bill.street));
  return Operation.pathPaymentStrictReceive({
    ...route(bill),
    destAmount,
    sendMax: '1000000',
    ...sourceOf(bill),
  });
}

/** Of a wallet's account that is not on the ledger yet, else of one to be merged later. */
function creation(bill: Bill): xdr.Operation {
  const { network } = bill.street;
  const { random, accounts, seed } = bill.street.desk;
  const unborn = accounts.wallets.find(({ account }) => !network.exists(account));
  const startingBalance = toUnits(100_000_000n + amountOf(bill.street));
  if (unborn && random.chance(0.3))
    return Operation.createAccount({ destination: unborn.account, startingBalance });
  const throwaway = seededKeypair(`${seed}/throwaways`, bill.street.desk.serial++);
  bill.throwaways.push(throwaway);
  return Operation.createAccount({ destination: throwaway.publicKey(), startingBalance });
}

/** An envelope has 20 at most, and every payer may be among them. */
const MOST_MERGING = 10;

/** Of an account that was made in an earlier ledger. */
function merge(bill: Bill): xdr.Operation {
  const { network } = bill.street;
  if (bill.merging === MOST_MERGING) return payment(bill);
  const at = bill.throwaways.findIndex((key) => network.exists(key.publicKey()));
  const [throwaway] = at < 0 ? [] : bill.throwaways.splice(at, 1);
  if (!throwaway) return payment(bill);
  bill.merging++;
  bill.signers.add(throwaway);
  const destination = destinationOf(bill.street, bill.meant);
  return Operation.accountMerge({ destination, source: throwaway.publicKey() });
}

/** Undoes all that comes before it in the transaction. */
function doomed({ street: { desk } }: Bill): xdr.Operation {
  const { random, accounts, seed } = desk;
  const [asset] = accounts.assets;
  const nobody = seededKeypair(`${seed}/nobody`, 0).publicKey();
  return random.pick([
    Operation.payment({ destination: nobody, asset, amount: '1' }),
    Operation.payment({ destination: random.pick(accounts.wallets).account, asset, amount: '900000000000' }),
  ]);
}
