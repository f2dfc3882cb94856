/** How a body names whom it pays: an address, and beside it the id that the payment carries. */
import type { z } from 'zod';
import { AppError } from '../lib/errors.ts';
import { type Address, parseAddress } from '../stellar/address.ts';
import { type ContractAddress, parseContractAddress } from '../stellar/contract-address.ts';

/** The form of an address of each kind; no pattern can compute the checksum. */
export const DESTINATION_PATTERN = '^([GC][A-Z2-7]{55}|[MW][A-Z2-7]{68})$';

type Named = { destination?: string | undefined; payee_id?: string | undefined };

/** Lets a body name one recipient: either a destination, or the id of a payee. The error has this fault beside those of other fields. */
export function withOneRecipient<T extends z.ZodType<Named>>(body: T): T {
  const when = ({ value }: { value: unknown }) => typeof value === 'object' && value !== null;
  return body
    .refine(({ destination, payee_id }) => destination !== undefined || payee_id !== undefined, {
      path: ['destination'],
      message: 'is required',
      when,
    })
    .refine(({ destination, payee_id }) => destination === undefined || payee_id === undefined, {
      path: ['payee_id'],
      message: 'must be absent beside destination',
      when,
    });
}

/** Says whether the text is a G…, M…, C… or W… address. */
export function isDestination(text: string): boolean {
  return parseAddress(text) !== null || parseContractAddress(text) !== null;
}

/** A contract is paid by the contract of the asset, an account by a payment. */
export type Destination = ({ contract: null } & Address) | ContractAddress;

/** @throws AppError `invalid_request`, `ambiguous_destination` */
export function readDestination({
  destination,
  memo_id,
}: {
  destination: string;
  memo_id: bigint | null;
}): Destination {
  const contract = parseContractAddress(destination);
  if (contract) {
    refuseOtherId(contract, memo_id, 'W…');
    return { ...contract, muxed_id: contract.muxed_id ?? memo_id };
  }
  const address = parseAddress(destination);
  if (!address) {
    const message =
      'must be a Stellar account (G…), a muxed account (M…), a contract (C…) or a muxed contract (W…)';
    throw new AppError('invalid_request', 'destination is not a valid G…, M…, C… or W… address.', {
      details: [{ path: '/destination', message }],
    });
  }
  refuseOtherId(address, memo_id, 'M…');
  return { contract: null, ...address };
}

function refuseOtherId(address: { muxed_id: bigint | null }, memo_id: bigint | null, kind: string): void {
  const { muxed_id } = address;
  if (muxed_id === null || memo_id === null || muxed_id === memo_id) return;
  const message = `The id of the ${kind} address and memo_id differ. Send only one of them.`;
  const details = [{ path: '/memo_id', message: `differs from the id of the destination, ${muxed_id}` }];
  throw new AppError('ambiguous_destination', message, { details });
}
