import { assetText } from '../../ledger/asset.ts';
import type { Entry } from '../../ledger/entry.ts';
import { accountAddress, balanceIdHex, signerAddress } from '../addresses.ts';
import { amountText } from '../amounts.ts';
import type { Effect } from '../effects/effect.ts';
import { signerSponsors, sponsorOf } from '../entry-changes.ts';

/** Facts of a ledger that both entries and effects report, without balances. */
export type Facts = Map<string, string>;

export function factsOf(entries: Entry[]): Facts {
  return new Map(entries.flatMap((entry) => [...entryFacts(entry), ...sponsorFacts(entry)]));
}

function entryFacts({ data }: Entry): [string, string][] {
  if (data.type === 0) {
    const { accountId, thresholds, signers, homeDomain, flags, seqNum } = data.account;
    const account = accountAddress(accountId);
    const masterWeight = thresholds[0] ?? 0;
    return [
      [`account ${account}`, 'exists'],
      [`home_domain ${account}`, homeDomain.toString()],
      [`auth_required ${account}`, `${(flags & 1) !== 0}`],
      [`sequence ${account}`, `${seqNum}`],
      ...(masterWeight > 0 ? [pair(`signer ${account} ${account}`, masterWeight)] : []),
      ...signers.map(({ key, weight }) => pair(`signer ${account} ${signerAddress(key)}`, weight)),
    ];
  }
  if (data.type === 1 && data.trustLine.asset.type !== 3) {
    const { accountId, asset, limit } = data.trustLine;
    return [[`trustline ${accountAddress(accountId)} ${assetText(asset)}`, amountText(limit)]];
  }
  if (data.type === 3) {
    const { accountId, dataName, dataValue } = data.data;
    return [[`data ${accountAddress(accountId)} ${dataName}`, Buffer.from(dataValue).toString('base64')]];
  }
  if (data.type !== 4) return [];
  const { balanceId, amount, asset } = data.claimableBalance;
  return [[`balance ${balanceIdHex(balanceId)}`, `${amountText(amount)} ${assetText(asset)}`]];
}

const pair = (fact: string, value: number): [string, string] => [fact, `${value}`];

/** Data by name alone, because their effects do not name the owner. */
function sponsorFacts(entry: Entry): [string, string][] {
  const { data } = entry;
  const sponsor = sponsorOf(entry);
  const facts: [string, string][] = [];
  const add = (subject: string) => {
    if (sponsor !== null) facts.push([`sponsor of ${subject}`, accountAddress(sponsor)]);
  };
  if (data.type === 0) add(`account ${accountAddress(data.account.accountId)}`);
  if (data.type === 1 && data.trustLine.asset.type !== 3) {
    add(`trustline ${accountAddress(data.trustLine.accountId)} ${assetText(data.trustLine.asset)}`);
  }
  if (data.type === 3) add(`data ${data.data.dataName}`);
  if (data.type === 4) add(`balance ${balanceIdHex(data.claimableBalance.balanceId)}`);
  for (const [signer, payer] of signerSponsors(entry)) {
    const account = data.type === 0 ? accountAddress(data.account.accountId) : '';
    facts.push([`sponsor of signer ${account} ${signer}`, accountAddress(payer)]);
  }
  return facts;
}

/** Changes the facts as the effect reports. */
export function follow(facts: Facts, effect: Effect): void {
  const { type, account } = effect;
  if (type === 'account_created') facts.set(`account ${account}`, 'exists');
  if (type === 'account_removed') forget(facts, account);
  if (type === 'account_home_domain_updated') facts.set(`home_domain ${account}`, `${effect.home_domain}`);
  if (type === 'sequence_bumped') facts.set(`sequence ${account}`, `${effect.new_seq}`);
  if (type === 'account_flags_updated' && 'auth_required_flag' in effect) {
    facts.set(`auth_required ${account}`, `${effect.auth_required_flag}`);
  }
  const subject = subjectOf(effect);
  if (subject === null) return;
  if (
    type.endsWith('_removed') ||
    type === 'claimable_balance_claimed' ||
    type === 'claimable_balance_clawed_back'
  ) {
    facts.delete(subject.fact);
  } else {
    facts.set(subject.fact, `${subject.value}`);
  }
}

function forget(facts: Facts, account: string): void {
  const ofAccount = ['account', 'home_domain', 'auth_required', 'sequence', 'signer'];
  for (const fact of [...facts.keys()]) {
    const [kind = '', subject] = fact.split(' ');
    if (ofAccount.includes(kind) && subject === account) facts.delete(fact);
  }
}

function subjectOf(effect: Effect): { fact: string; value: unknown } | null {
  const { type, account } = effect;
  if (`${effect.asset_type}`.startsWith('liquidity_pool')) return null;
  const issued = `${effect.asset_code}:${effect.asset_issuer}`;
  const sponsor = effect.sponsor ?? effect.new_sponsor;
  if (/^signer_(created|updated|removed)$/.test(type)) {
    return { fact: `signer ${account} ${effect.public_key}`, value: effect.weight };
  }
  if (/^trustline_(created|updated|removed)$/.test(type)) {
    return { fact: `trustline ${account} ${issued}`, value: effect.limit };
  }
  if (/^data_(created|updated|removed)$/.test(type)) {
    return { fact: `data ${account} ${effect.name}`, value: effect.value };
  }
  if (/^claimable_balance_(created|claimed|clawed_back)$/.test(type)) {
    return { fact: `balance ${effect.balance_id}`, value: `${effect.amount} ${effect.asset}` };
  }
  const sponsored = {
    account: `account ${account}`,
    trustline: `trustline ${account} ${effect.asset}`,
    data: `data ${effect.data_name}`,
    claimable_balance: `balance ${effect.balance_id}`,
    signer: `signer ${account} ${effect.signer}`,
  }[type.replace(/_sponsorship_\w+$/, '')];
  return type.includes('_sponsorship_') ? { fact: `sponsor of ${sponsored}`, value: sponsor } : null;
}
