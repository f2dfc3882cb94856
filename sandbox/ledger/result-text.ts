import type { xdr } from '@stellar/stellar-sdk/base';

/** `txSuccess`, `txBadSeq`, `txFailed(opBadAuth,paymentUnderfunded)`, `txFeeBumpInnerFailed(txBadSeq)`. */
export function resultText(result: xdr.TransactionResult): string {
  const outcome = result.result;
  if (outcome.type !== 'txFeeBumpInnerFailed') return outcomeText(outcome);
  return `${outcome.type}(${outcomeText(outcome.innerResultPair.result.result)})`;
}

/** Results of the operations that were tried: `paymentSuccess`, `opBadAuth`. */
export function operationTexts(result: xdr.TransactionResult): string[] {
  const { result: outcome } = result;
  const isFeeBump = outcome.type === 'txFeeBumpInnerFailed' || outcome.type === 'txFeeBumpInnerSuccess';
  return textsOf(isFeeBump ? outcome.innerResultPair.result.result : outcome);
}

type Outcome = xdr.InnerTransactionResultResult | xdr.TransactionResultResult;

function outcomeText(outcome: Outcome): string {
  return outcome.type === 'txFailed' ? `txFailed(${textsOf(outcome).join(',')})` : outcome.type;
}

function textsOf(outcome: Outcome): string[] {
  if (outcome.type !== 'txFailed' && outcome.type !== 'txSuccess') return [];
  return outcome.results.map((result) => (result.type === 'opInner' ? result.tr.value.type : result.type));
}
