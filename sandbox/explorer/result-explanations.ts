import { xdr } from '@stellar/stellar-sdk/base';

/** `code` is the name in the protocol's XDR files: what documentation and search engines know it by. */
export type Explanation = { code: string; words: string };

const TRANSACTION_WORDS: Record<xdr.TransactionResultResult['type'], string> = {
  txSuccess: 'It succeeded.',
  txFeeBumpInnerSuccess: 'It succeeded; another account paid its fee.',
  txFailed: 'One of its operations failed, so none took effect. The fee is paid all the same.',
  txFeeBumpInnerFailed: 'The transaction inside the fee-bump failed. The fee is paid all the same.',
  txTooEarly: 'Its time or ledger bounds have not begun.',
  txTooLate: 'Its time or ledger bounds are over.',
  txMissingOperation: 'It has no operation.',
  txBadSeq: 'Its sequence number is not the next one of its source account.',
  txBadAuth: 'Its signatures are missing, wrong, too weak, or for another network.',
  txInsufficientBalance: 'Its fee would bring the source account below its reserve.',
  txNoAccount: 'Its source account does not exist.',
  txInsufficientFee: 'It offers too low a fee.',
  txBadAuthExtra: 'It has signatures that are not needed.',
  txInternalError: 'The network had an internal error.',
  txNotSupported: 'The network does not know this kind of transaction.',
  txBadSponsorship: 'It begins a sponsorship and does not end it.',
  txBadMinSeqAgeOrGap: 'It comes too soon after the previous transaction of the source account.',
  txMalformed: 'It is not well formed.',
  txSorobanInvalid: 'Its contract resources are not valid.',
  txFrozenKeyAccessed: 'It touches a ledger entry that is frozen.',
};

/**
 * Explanations by the end of the result's name, because most operations fail for the same few reasons. The first
 * match counts.
 */
const OPERATION_WORDS: [ending: string, words: string][] = [
  ['Success', 'done'],
  ['opBadAuth', 'its source account has not signed with enough weight'],
  ['opNoAccount', 'its source account does not exist'],
  ['opNotSupported', 'this network does not support the operation'],
  ['opTooManySubentries', 'the account owns too many entries'],
  ['opTooManySponsoring', 'the account sponsors too many entries'],
  ['clawbackNoTrust', 'the account has no trust line for the asset'],
  ['NotClawbackEnabled', 'the trust line does not allow the issuer to claw back'],
  ['CantRevoke', 'the issuer has not kept the right to revoke'],
  ['SrcNoTrust', 'the payer has no trust line for the asset'],
  ['SrcNotAuthorized', 'the payer is not authorized to use the asset'],
  ['Underfunded', 'the account has less than that to spend'],
  ['NoDestination', 'the destination account does not exist'],
  ['NoTrust', 'the receiver has no trust line for the asset'],
  ['NoTrustLine', 'there is no trust line for the asset'],
  ['NotAuthorized', 'the receiver is not authorized to hold the asset'],
  ['LineFull', 'the receiver’s trust line has no room for that much'],
  ['NoIssuer', 'the asset’s issuer does not exist'],
  ['AlreadyExist', 'the account exists already'],
  ['LowReserve', 'the balance would be below the reserve'],
  ['TooFewOffers', 'nobody offers what it wants to buy'],
  ['OfferCrossSelf', 'it would trade with itself'],
  ['OverSourceMax', 'it would cost more than it allows'],
  ['UnderDestMin', 'the receiver would get less than it demands'],
  ['HasSubEntries', 'the account still owns trust lines, offers, signers or data'],
  ['NameNotFound', 'there is no data of that name'],
  ['CannotClaim', 'the account may not claim it, or not now'],
  ['DoesNotExist', 'there is none'],
  ['Malformed', 'it is not well formed'],
];

export type ExplainedResult = { transaction: Explanation; operations: Explanation[] };

/**
 * The meaning of a TransactionResult: of the transaction (of a fee-bump, also the inner one) and of its operations.
 */
export function explainResult(resultXdr: Uint8Array): ExplainedResult {
  const { result: outer } = xdr.TransactionResult.fromXdr(resultXdr);
  const feeBumped = outer.type === 'txFeeBumpInnerSuccess' || outer.type === 'txFeeBumpInnerFailed';
  const inner = feeBumped ? outer.innerResultPair.result.result : outer;
  const ran = inner.type === 'txSuccess' || inner.type === 'txFailed';
  const failedEarlier = outer.type === 'txFeeBumpInnerFailed' && inner.type !== 'txFailed';
  return {
    transaction: {
      code: protocolName(outer.type),
      words: TRANSACTION_WORDS[outer.type] + (failedEarlier ? ` ${TRANSACTION_WORDS[inner.type]}` : ''),
    },
    operations: ran ? inner.results.map(explainOperation) : [],
  };
}

function explainOperation(result: xdr.OperationResult): Explanation {
  const name = result.type === 'opInner' ? result.tr.value.type : result.type;
  const known = OPERATION_WORDS.find(([ending]) => name.endsWith(ending));
  return { code: protocolName(name), words: known?.[1] ?? spaced(name) };
}

/** `txBadSeq` → `txBAD_SEQ`, `paymentNoTrust` → `PAYMENT_NO_TRUST`. */
function protocolName(name: string): string {
  const [, prefix = '', rest = ''] = /^((?:tx|op)(?=[A-Z]))?(.*)$/.exec(name) ?? [];
  return prefix + rest.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toUpperCase();
}

function spaced(name: string): string {
  return name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ').toLowerCase();
}
