import { Asset, StrKey } from '@stellar/stellar-sdk/base';
import { z } from 'zod';
import type { EntryKey } from '../../ledger/entry.ts';
import { accountKey, trustLineKey } from '../../ledger/entry.ts';

/** An account, or with `asset` its trust line. An issuer has no trust line in its own asset. */
export const frozenSchema = z
  .strictObject({
    account: z.string().refine((text) => StrKey.isValidEd25519PublicKey(text), 'must be a G… address'),
    asset: z
      .string()
      .refine((text) => assetOf(text) !== null, 'must be CODE:ISSUER')
      .optional(),
  })
  .refine(({ account, asset }) => asset === undefined || assetOf(asset)?.getIssuer() !== account, {
    path: ['account'],
    message: 'is the issuer, which has no trust line',
  });

export function frozenKey({ account, asset }: z.output<typeof frozenSchema>): EntryKey {
  const ed25519 = StrKey.decodeEd25519PublicKey(account);
  const issued = asset === undefined ? null : assetOf(asset);
  if (issued === null) return accountKey(ed25519);
  return trustLineKey(ed25519, issued.toTrustLineXdrObject().toXdrObject());
}

function assetOf(text: string): Asset | null {
  const [code = '', issuer = '', ...more] = text.split(':');
  const valid = /^[A-Za-z0-9]{1,12}$/.test(code) && StrKey.isValidEd25519PublicKey(issuer);
  return valid && more.length === 0 ? new Asset(code, issuer) : null;
}
