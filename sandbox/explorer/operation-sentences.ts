import { StrKey, type xdr } from '@stellar/stellar-sdk/base';
import { hex, INT64_MAX } from '../ledger/bytes.ts';
import { muxedContractAddress, muxedContractOf } from '../ledger/muxed-contract.ts';
import { i128Of } from '../ledger/sc-val.ts';
import type { Part } from './sentence-parts.ts';
import { accountPart, amountPart, assetPart, codeText, textPart, units } from './sentence-parts.ts';

type Body = xdr.OperationBodyWire;
type Words<T extends Body['type']> = (body: Extract<Body, { type: T }>) => Part[];

const AUTHORIZED = 1;
const MAINTAIN_LIABILITIES = 2;

/** What the source account does: the rest of a sentence that begins with the account. */
const WORDS: { [T in Body['type']]: Words<T> } = {
  0: ({ createAccountOp: op }) => [
    'creates the account ',
    accountPart(op.destination),
    ' with ',
    amountPart(op.startingBalance),
  ],
  1: ({ paymentOp: op }) => ['pays ', amountPart(op.amount, op.asset), ' to ', accountPart(op.destination)],
  2: ({ pathPaymentStrictReceiveOp: op }) => [
    'pays ',
    amountPart(op.destAmount, op.destAsset),
    ' to ',
    accountPart(op.destination),
    ' for at most ',
    amountPart(op.sendMax, op.sendAsset),
  ],
  3: ({ manageSellOfferOp: op }) => sellOffer(op, op.offerId),
  4: ({ createPassiveSellOfferOp: op }) => sellOffer(op, 0n),
  5: ({ setOptionsOp: op }) => ['sets ', ...listed(optionsOf(op))],
  6: ({ changeTrustOp: op }) => trust(op),
  7: ({ allowTrustOp: op }) => [
    `${authorizationOf(op.authorize)} `,
    accountPart(op.trustor),
    ' to hold its asset ',
    { text: codeText(op.asset.type === 1 ? op.asset.assetCode4 : op.asset.assetCode12) },
  ],
  8: ({ destination }) => ['merges itself into ', accountPart(destination), ' with its whole balance'],
  9: () => ['runs inflation, which the network no longer pays'],
  10: ({ manageDataOp: op }) =>
    op.dataValue === null
      ? ['removes its data ', textPart(op.dataName)]
      : ['sets its data ', textPart(op.dataName), ' to ', textPart(Buffer.from(op.dataValue))],
  11: ({ bumpSequenceOp: op }) => [`raises its sequence number to ${op.bumpTo}`],
  12: ({ manageBuyOfferOp: op }) => [
    ...(op.offerId === 0n ? ['offers to buy '] : ['changes offer ', { id: `${op.offerId}` }, ': buys ']),
    amountPart(op.buyAmount, op.buying),
    ' for ',
    assetPart(op.selling),
    ` at ${priceOf(op.price)}`,
  ],
  13: ({ pathPaymentStrictSendOp: op }) => [
    'pays ',
    amountPart(op.sendAmount, op.sendAsset),
    ' to ',
    accountPart(op.destination),
    ', which receives at least ',
    amountPart(op.destMin, op.destAsset),
  ],
  14: ({ createClaimableBalanceOp: op }) => [
    'creates a claimable balance of ',
    amountPart(op.amount, op.asset),
    ' for ',
    ...listed(op.claimants.map(({ v0 }) => [accountPart(v0.destination)])),
  ],
  15: ({ claimClaimableBalanceOp: op }) => ['claims ', balance(op.balanceId)],
  16: ({ beginSponsoringFutureReservesOp: op }) => [
    'begins to pay the reserves of ',
    accountPart(op.sponsoredId),
  ],
  17: () => ['ends the sponsorship of its reserves'],
  18: ({ revokeSponsorshipOp: op }) =>
    op.type === 0
      ? ['stops sponsoring a ledger entry']
      : ['stops sponsoring a signer of ', accountPart(op.signer.accountId)],
  19: ({ clawbackOp: op }) => [
    'claws back ',
    amountPart(op.amount, op.asset),
    ' from ',
    accountPart(op.from),
  ],
  20: ({ clawbackClaimableBalanceOp: op }) => ['claws back ', balance(op.balanceId)],
  21: ({ setTrustLineFlagsOp: op }) => [
    'changes what ',
    accountPart(op.trustor),
    ' may do with ',
    assetPart(op.asset),
    `: ${trustChanges(op.setFlags, op.clearFlags)}`,
  ],
  22: ({ liquidityPoolDepositOp: op }) => [
    `puts up to ${units(op.maxAmountA)} and ${units(op.maxAmountB)} into the liquidity pool `,
    { id: hex(op.liquidityPoolId) },
  ],
  23: ({ liquidityPoolWithdrawOp: op }) => [
    `takes ${units(op.amount)} shares out of the liquidity pool `,
    { id: hex(op.liquidityPoolId) },
  ],
  24: ({ invokeHostFunctionOp: { hostFunction } }) => {
    if (hostFunction.type !== 0) return ['creates or uploads a contract'];
    const { contractAddress, functionName } = hostFunction.invokeContract;
    const call: Part[] = ['calls ', textPart(functionName), ' of the contract ', contract(contractAddress)];
    return [...call, ...transferWords(hostFunction.invokeContract)];
  },
  25: () => ['extends how long contract data is kept'],
  26: () => ['restores archived contract data'],
};

/** The operation in one sentence that begins with its source account. */
export function operationSentence(
  operation: xdr.OperationWire,
  transactionSource: xdr.MuxedAccountWire,
): Part[] {
  const words = WORDS[operation.body.type] as (body: Body) => Part[];
  return [accountPart(operation.sourceAccount ?? transactionSource), ' ', ...words(operation.body)];
}

type SellOffer = { selling: xdr.AssetWire; buying: xdr.AssetWire; amount: bigint; price: xdr.PriceWire };

function sellOffer({ selling, buying, amount, price }: SellOffer, offerId: bigint): Part[] {
  if (amount === 0n) return ['deletes offer ', { id: `${offerId}` }];
  const verb: Part[] =
    offerId === 0n ? ['offers to sell '] : ['changes offer ', { id: `${offerId}` }, ': sells '];
  return [...verb, amountPart(amount, selling), ' for ', assetPart(buying), ` at ${priceOf(price)}`];
}

function trust({ line, limit }: xdr.ChangeTrustOpWire): Part[] {
  if (limit === 0n) return ['no longer trusts ', assetPart(line)];
  return ['trusts ', assetPart(line), limit === INT64_MAX ? ' without limit' : ` up to ${units(limit)}`];
}

function optionsOf(op: xdr.SetOptionsOpWire): Part[][] {
  const set: Part[][] = [];
  if (op.masterWeight !== null) set.push([`the weight of its master key to ${op.masterWeight}`]);
  if (op.lowThreshold !== null) set.push([`its low threshold to ${op.lowThreshold}`]);
  if (op.medThreshold !== null) set.push([`its medium threshold to ${op.medThreshold}`]);
  if (op.highThreshold !== null) set.push([`its high threshold to ${op.highThreshold}`]);
  if (op.setFlags !== null) set.push([`flags ${accountFlags(op.setFlags).join(', ') || 'none'}`]);
  if (op.clearFlags !== null) set.push([`off flags ${accountFlags(op.clearFlags).join(', ') || 'none'}`]);
  if (op.homeDomain !== null) set.push(['its home domain to ', textPart(op.homeDomain)]);
  if (op.inflationDest !== null) set.push(['its inflation destination to ', accountPart(op.inflationDest)]);
  if (op.signer !== null) {
    set.push(['the signer ', { id: signerKeyText(op.signer.key) }, ` to weight ${op.signer.weight}`]);
  }
  return set.length > 0 ? set : [['no option']];
}

export function accountFlags(flags: number): string[] {
  const names = [
    'authorization required',
    'authorization revocable',
    'authorization immutable',
    'clawback enabled',
  ];
  return names.filter((_, bit) => (flags & (1 << bit)) !== 0);
}

export function trustLineFlags(flags: number): string[] {
  const names = ['authorized', 'may keep its liabilities', 'clawback enabled'];
  return names.filter((_, bit) => (flags & (1 << bit)) !== 0);
}

function trustChanges(set: number, clear: number): string {
  const changes = [
    ...trustLineFlags(set).map((flag) => `now ${flag}`),
    ...trustLineFlags(clear).map((flag) => `no longer ${flag}`),
  ];
  return changes.join(', ') || 'nothing';
}

function authorizationOf(flags: number): string {
  if ((flags & AUTHORIZED) !== 0) return 'allows';
  return (flags & MAINTAIN_LIABILITIES) !== 0 ? 'allows, for open offers only,' : 'no longer allows';
}

/** As strkeys (SEP-23): G… a key, T… a transaction's hash, X… the hash of a secret, P… a signed payload. */
export function signerKeyText(key: xdr.SignerKeyWire): string {
  if (key.type === 0) return StrKey.encodeEd25519PublicKey(Buffer.from(key.ed25519));
  if (key.type === 1) return StrKey.encodePreAuthTx(Buffer.from(key.preAuthTx));
  if (key.type === 2) return StrKey.encodeSha256Hash(Buffer.from(key.hashX));
  const { ed25519, payload } = key.ed25519SignedPayload;
  const length = Buffer.alloc(4);
  length.writeUInt32BE(payload.length);
  const padding = Buffer.alloc((4 - (payload.length % 4)) % 4);
  return StrKey.encodeSignedPayload(Buffer.concat([ed25519, length, payload, padding]));
}

/** Who receives how many of the asset's smallest units, when the call has the form of a transfer. */
function transferWords({ functionName, args }: xdr.InvokeContractArgsWire): Part[] {
  const [, to, amount] = args;
  const value = i128Of(amount);
  if (functionName.toString() !== 'transfer' || to?.type !== 18 || value === undefined) return [];
  const { address } = to;
  const account = address.type === 0 ? address.accountId : null;
  const muxed = address.type === 2 ? accountPart({ type: 256, med25519: address.muxedAccount }) : null;
  const destination = account === null ? (muxed ?? contract(address)) : accountPart(account);
  return [`: ${units(value)} to `, destination];
}

function contract(address: xdr.ScAddressWire): Part {
  const muxed = muxedContractOf(address);
  if (muxed !== null) return { id: muxedContractAddress(muxed) };
  return { id: address.type === 1 ? StrKey.encodeContract(Buffer.from(address.contractId)) : 'unknown' };
}

function balance(id: xdr.ClaimableBalanceIdWire): Part {
  return { id: hex(id.v0) };
}

function priceOf({ n, d }: xdr.PriceWire): string {
  return d === 0 ? `${n}/${d}` : `${Number((n / d).toPrecision(8))}`;
}

/** `a, b and c`. */
function listed(items: Part[][]): Part[] {
  return items.flatMap((item, index) => {
    if (index === 0) return item;
    return [index === items.length - 1 ? ' and ' : ', ', ...item];
  });
}
