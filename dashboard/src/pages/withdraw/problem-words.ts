/** Pure: what the preview or a refusal says of a withdrawal, in the units of its asset. */
import { readableMessage } from '../../text/api-message.ts';
import { type AssetFields, assetName, unitOf } from '../../text/asset.ts';
import { formatUnits } from '../../text/money.ts';

type Problem = { code: string; message: string };

/** In the words of somebody who pays an issued asset; the service's own are for every asset. */
const OF_ISSUED: Record<string, ((asset: AssetFields) => string) | undefined> = {
  op_no_destination: (asset) =>
    `The destination account does not exist, and ${unitOf(asset)} cannot create it. Its owner must first pay XLM into it, then add ${assetName(asset)}.`,
  op_no_trust: (asset) =>
    `The destination has no trust line for ${assetName(asset)}. Its owner must add the asset first.`,
  op_not_authorized: (asset) =>
    `The issuer does not let the destination hold ${assetName(asset)}. Its owner must ask the issuer.`,
  op_line_full: (asset) => `The destination has no room for this much ${unitOf(asset)}.`,
  op_src_not_authorized: (asset) =>
    `The issuer does not let this wallet pay ${assetName(asset)}. Ask the issuer.`,
  op_underfunded: (asset) => `The wallet does not hold this much ${assetName(asset)}.`,
  destination_is_issuer: (asset) =>
    `The destination issues ${unitOf(asset)}: what is paid to it is destroyed. Tick the box in the form if that is meant.`,
};

/** Limits count in the asset; fees and reserves in XLM. */
export function problemWords({ code, message }: Problem, asset: AssetFields): string {
  const own = asset.asset_issuer === null ? undefined : OF_ISSUED[code];
  return own?.(asset) ?? readableMessage(message, code.startsWith('policy_') ? unitOf(asset) : 'XLM');
}

/** The same of a payment that has failed. For a payee without an account: what was paid, and what creates it. */
export function failureWords(failure: Problem, payment: AssetFields & { amount_stroops: bigint }): string {
  if (failure.code !== 'op_no_destination' || payment.asset_issuer !== null)
    return problemWords(failure, payment);
  const paid = `The destination account does not exist, and ${formatUnits(payment.amount_stroops)} XLM did not create it.`;
  return `${paid} Two base reserves (1 XLM on the public network), paid to its G… address, create it.`;
}
