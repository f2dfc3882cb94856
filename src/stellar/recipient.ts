/**
 * Pure: a recipient that can be written in two ways. A muxed contract is W…, or its C… with a memo id. An M… address may have its own id
 * beside it. An M… address, and its account with the id as memo id, are two payments on the ledger and one recipient for people.
 */
import { muxedAddress, parseAddress } from './address.ts';
import { type ContractAddress, contractAddress, parseContractAddress } from './contract-address.ts';

/** Who is paid, as the order names them. */
export type Recipient = { destination: string; memo_id: bigint | null };

/** Returns the contract that is paid; null when an account is paid. */
export function paidContract({ destination, memo_id }: Recipient): ContractAddress | null {
  const address = parseContractAddress(destination);
  return address && { contract: address.contract, muxed_id: address.muxed_id ?? memo_id };
}

/**
 * Returns the same recipient in one form: a muxed contract as W… and a muxed account as M…, without a memo id. All others stay as they
 * are.
 */
export function recipientOf({ destination, memo_id }: Recipient): Recipient {
  const paid = paidContract({ destination, memo_id });
  if (paid) return { destination: contractAddress(paid), memo_id: null };
  const { muxed_id = null } = parseAddress(destination) ?? {};
  return { destination, memo_id: muxed_id === memo_id ? null : memo_id };
}

export function isSameRecipient(one: Recipient, other: Recipient): boolean {
  const [a, b] = [recipientOf(one), recipientOf(other)];
  return a.destination === b.destination && a.memo_id === b.memo_id;
}

/** Returns every way to write this recipient. An M… address is its account with the id as memo id too, as a W… is its contract. */
export function spellingsOf(named: Recipient): Recipient[] {
  const contract = paidContract(named);
  const account = parseAddress(named.destination);
  const id = contract?.muxed_id ?? account?.muxed_id ?? named.memo_id;
  const muxed = contract
    ? contractAddress(contract)
    : account && id !== null && muxedAddress(account.account, id);
  if (id === null || !muxed) return [named];
  return [
    { destination: wholeOf(named.destination), memo_id: id },
    { destination: muxed, memo_id: null },
    { destination: muxed, memo_id: id },
  ];
}

/** Returns the account or contract of an address, without an id. */
export function wholeOf(destination: string): string {
  return parseAddress(destination)?.account ?? parseContractAddress(destination)?.contract ?? destination;
}
