/** The API's form of a deposit address. */
import { z } from 'zod';
import { NETWORKS } from '../../config.ts';
import { RawJson } from '../../http/read-json.ts';
import { Id, MemoId, Metadata, Time } from '../../http/schemas.ts';
import { muxedAddress } from '../../stellar/address.ts';
import { type DepositAddress, MOST_SUMMED } from './address-store.ts';

export const AddressResource = z
  .object({
    id: Id,
    wallet_id: Id,
    address: z.string().meta({ description: 'M… address: pay this' }),
    account: z
      .string()
      .meta({ description: 'G… account: pay this with memo_id as MEMO_ID where M… is not supported' }),
    memo_id: MemoId,
    uri: z
      .string()
      .meta({ description: 'SEP-7 payment request; off the public network it names the network' }),
    label: z.string().nullable(),
    metadata: Metadata,
    last_deposit_at: Time.nullable().meta({
      description: 'When its last deposit was recorded; null before the first one',
    }),
    created_at: Time,
  })
  .meta({ id: 'DepositAddress' });

/** A sum can be larger than any single amount. */
const Sum = z.bigint().min(0n);

const Received = z
  .object({
    asset_code: z.string(),
    asset_issuer: z.string().nullable(),
    count: z.int(),
    amount_stroops: Sum,
  })
  .meta({ id: 'ReceivedAsset' });

export const AddressWithReceived = AddressResource.extend({
  received: z.array(Received).meta({ description: 'All deposits of the address, by asset' }),
}).meta({ id: 'DepositAddressWithReceived' });

export const ListedAddress = AddressResource.extend({
  received: z
    .array(Received)
    .nullable()
    .meta({
      description:
        'Its deposits of the last `received_days` days, by asset. Null for a request without `received_days`, and for an address with more ' +
        `than ${MOST_SUMMED} deposits in these days`,
    }),
}).meta({ id: 'ListedDepositAddress' });

/** Returns an address in the API's form. */
export function showAddress(row: DepositAddress, passphrase: string): z.input<typeof AddressResource> {
  return {
    id: row.id,
    wallet_id: row.wallet_id,
    address: muxedAddress(row.account, row.memo_id),
    account: row.account,
    memo_id: row.memo_id,
    uri: paymentUri(row, passphrase),
    label: row.label,
    metadata: new RawJson(row.metadata ?? '{}'),
    last_deposit_at: row.last_deposit_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}

/**
 * Makes a SEP-7 link with account and memo, because more wallets support these than M… addresses. A link without a network means
 * the public network: on a test network without its name, a payer's wallet would send real money.
 */
function paymentUri({ account, memo_id }: DepositAddress, passphrase: string): string {
  const link = `web+stellar:pay?destination=${account}&memo=${memo_id}&memo_type=MEMO_ID`;
  if (passphrase === NETWORKS.public.passphrase) return link;
  return `${link}&network_passphrase=${encodeURIComponent(passphrase)}`;
}
