/**
 * The entries of an allow list, and what they allow. Pure. An entry is one text, because a pending change adds one entry and the hash of
 * what members approve has all of it:
 *
 * | entry                                          | allows                                                          |
 * |------------------------------------------------|-----------------------------------------------------------------|
 * | `G…` or `C…`                                   | the account with any memo and every M… of it; the contract and  |
 * |                                                | every W… of it; any asset                                       |
 * | `M…` or `W…`                                   | itself only, any asset                                          |
 * | `pye_… G…`, of a payee; behind it ` memo_id=5` | that recipient only: with its memo where it has one, and its    |
 * | and ` asset=USDC:G…` where the payee has them  | asset where it has one                                          |
 *
 * The entry of a payee has whom it is in it: a payee never changes that, so no payment reads the payee.
 */
import { type AssetFields, assetText } from '../../stellar/asset.ts';
import { recipientOf, wholeOf } from '../../stellar/recipient.ts';

/** What an allow list is asked about. */
export type AllowedPayment = AssetFields & { destination: string; memo_id: bigint | null };

type PayeeFields = {
  id: string;
  destination: string;
  memo_id: bigint | null;
  asset_code: string | null;
  asset_issuer: string | null;
};

/** Writes the entry of a payee. */
export function entryOfPayee({ id, destination, memo_id, asset_code, asset_issuer }: PayeeFields): string {
  const parts = [id, destination];
  if (memo_id !== null) parts.push(`memo_id=${memo_id}`);
  if (asset_code !== null) parts.push(`asset=${assetText({ asset_code, asset_issuer })}`);
  return parts.join(' ');
}

/** Returns the entry as callers name it: an address, or the id of a payee. */
export function shownEntry(entry: string): string {
  return entry.split(' ', 1)[0] ?? entry;
}

/** Says whether the list allows the payment. */
export function allowsPayment(list: string[], payment: AllowedPayment): boolean {
  const { destination, memo_id } = recipientOf(payment);
  const pins = [`memo_id=${memo_id}`, `asset=${assetText(payment)}`];
  return allowsAddress(list, destination) || hasPayee(list, { destination, pins });
}

/** Says whether the list allows everything that the entry allows. */
export function covers(list: string[], entry: string): boolean {
  if (list.includes(entry)) return true;
  const payee = readPayee(entry);
  if (payee) return allowsAddress(list, payee.destination) || hasPayee(list, payee);
  // No payee covers a G… or C…, which allows its M… or W… too.
  return (
    allowsAddress(list, entry) ||
    (wholeOf(entry) !== entry && hasPayee(list, { destination: entry, pins: [] }))
  );
}

/** What the entry of a payee says. `pins`: its memo and its asset, as the entry writes them. */
type Paid = { destination: string; pins: string[] };

/** Reads the entry of a payee; null for an address. */
function readPayee(entry: string): Paid | null {
  if (!entry.startsWith('pye_')) return null;
  const [, destination = '', ...pins] = entry.split(' ');
  return { destination, pins };
}

/** Says whether an address of the list allows the destination. A G… with a memo is not the M… with that id. */
function allowsAddress(list: string[], destination: string): boolean {
  if (list.includes(destination)) return true;
  return list.includes(wholeOf(destination));
}

/** Says whether a payee of the list has the destination, and no memo or asset beside these. */
function hasPayee(list: string[], { destination, pins }: Paid): boolean {
  return list.some((entry) => {
    const payee = readPayee(entry);
    return payee?.destination === destination && payee.pins.every((pin) => pins.includes(pin));
  });
}
