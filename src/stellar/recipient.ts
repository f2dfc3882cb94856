/** Pure: a muxed contract has two forms, W… and its C… with a memo id. Both are one recipient. */
import { type ContractAddress, contractAddress, parseContractAddress } from './contract-address.ts';

/** Who is paid, as the order names them. */
type Recipient = { destination: string; memo_id: bigint | null };

/** Returns the contract that is paid; null when an account is paid. */
export function paidContract({ destination, memo_id }: Recipient): ContractAddress | null {
  const address = parseContractAddress(destination);
  return address && { contract: address.contract, muxed_id: address.muxed_id ?? memo_id };
}

/** Returns the same recipient in one form: a muxed contract as W…, without a memo id. All others stay as they are. */
export function recipientOf({ destination, memo_id }: Recipient): Recipient {
  const paid = paidContract({ destination, memo_id });
  return paid ? { destination: contractAddress(paid), memo_id: null } : { destination, memo_id };
}

export function isSameRecipient(one: Recipient, other: Recipient): boolean {
  const [a, b] = [recipientOf(one), recipientOf(other)];
  return a.destination === b.destination && a.memo_id === b.memo_id;
}
