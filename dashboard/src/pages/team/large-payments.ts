/** Pure: the amounts above which a withdrawal makes an alert, as people type them. */
import type { Alerts } from '../../api/contract.ts';
import {
  type AssetFields,
  assetText,
  isIssuedAssetText,
  NATIVE,
  parseAssetText,
  unitOf,
} from '../../text/asset.ts';
import { editableUnits, parseUnits } from '../../text/money.ts';

type LargePayment = Alerts['large_payments'][number];

/** A row of the form. `asset`: `XLM`, or `CODE:ISSUER`. */
export type TypedPayment = { id: number; asset: string; amount: string };
export type Problems = { asset?: string; amount?: string };

export function typedOf(payments: readonly LargePayment[]): TypedPayment[] {
  return payments.map((payment, id) => ({
    id,
    asset: payment.asset_issuer === null ? 'XLM' : assetText(payment),
    amount: editableUnits(payment.amount_stroops),
  }));
}

/** The payments of all rows, or null with the problems by the id of the row. */
export function readPayments(rows: readonly TypedPayment[]): {
  payments: LargePayment[] | null;
  problems: Map<number, Problems>;
} {
  const problems = new Map<number, Problems>();
  const payments: LargePayment[] = [];
  for (const { id, asset: typed, amount } of rows) {
    const asset = assetOf(typed.trim());
    const read = parseUnits(amount, undefined, unitOf(asset ?? NATIVE));
    const isRepeated = asset !== null && payments.some((each) => assetText(each) === assetText(asset));
    if (asset && !isRepeated && 'stroops' in read) payments.push({ ...asset, amount_stroops: read.stroops });
    else
      problems.set(id, {
        ...(asset === null && { asset: 'The asset must be XLM or CODE:ISSUER.' }),
        ...(isRepeated && { asset: 'The asset has an amount already.' }),
        ...('problem' in read && { amount: `The amount ${read.problem}.` }),
      });
  }
  return { payments: problems.size === 0 ? payments : null, problems };
}

function assetOf(typed: string): AssetFields | null {
  if (['xlm', 'native'].includes(typed.toLowerCase())) return NATIVE;
  return isIssuedAssetText(typed) ? parseAssetText(typed) : null;
}
