/** Pure: changes of access that other members must approve, in words, and as the request that carries them out. */
import type { AccessChange, Role, Scope } from '../../api/contract.ts';
import { usesAllWallets } from '../../api/team.ts';
import { formatDateTime } from '../../text/date-time.ts';
import { ROLE_WORDS } from '../../text/roles.ts';
import { scopesInWords } from '../../text/scopes.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';

/** The facts of `change` by operation; each has those that its operation knows. */
type Facts = {
  email?: string;
  name?: string;
  role?: Role;
  wallet_ids?: string[] | null;
  allowed_ips?: string[] | null;
  public_keys?: string[];
  enabled?: boolean;
  scopes?: Scope[];
  expires_at?: string | null;
  destination?: string;
  memo_id?: string;
  asset_code?: string;
  asset_issuer?: string;
  note?: string;
  before?: Facts;
};

/** What it does: a label and a value a line. `nameOf`: the name of a wallet. Lists have each entry. */
export function accessChangeLines(
  { change }: AccessChange,
  nameOf: (wallet_id: string) => string,
): [label: string, value: string][] {
  const facts = change as Facts;
  const { before } = facts;
  const lines: [string, string | undefined, string | undefined][] = [
    ['E-mail', facts.email, undefined],
    ['Name', facts.name, before?.name],
    ['Role', roleWords(facts), before && roleWords(before)],
    ['Wallets', walletWords(facts, nameOf), before && walletWords(before, nameOf)],
    [
      'Addresses',
      listWords(facts.allowed_ips, 'every address'),
      before && listWords(before.allowed_ips, 'every address'),
    ],
    ['Public keys', listWords(facts.public_keys, 'none'), before && listWords(before.public_keys, 'none')],
    ['Scopes', facts.scopes && scopesInWords(facts.scopes), undefined],
    [
      'Valid until',
      facts.expires_at === null ? 'it is deleted' : facts.expires_at && formatDateTime(facts.expires_at),
      undefined,
    ],
    ['Enabled', enabledWords(facts), before && enabledWords(before)],
    ['Destination', facts.destination, undefined],
    ['Memo', facts.memo_id, undefined],
    ['Only asset', assetWords(facts), undefined],
    ['Note', facts.note, undefined],
  ];
  return lines.flatMap(([label, now, earlier]) => {
    if (now === undefined) return [];
    return [[label, earlier === undefined || earlier === now ? now : `${now}, in place of ${earlier}`]];
  });
}

function roleWords({ role }: Facts): string | undefined {
  return role && ROLE_WORDS[role].label;
}

function walletWords({ wallet_ids }: Facts, nameOf: (wallet_id: string) => string): string | undefined {
  return wallet_ids === null ? 'every wallet' : wallet_ids?.map(nameOf).join(', ');
}

function assetWords({ asset_code, asset_issuer }: Facts): string | undefined {
  return asset_issuer === undefined ? asset_code && 'XLM' : `${asset_code} of ${asset_issuer}`;
}

function enabledWords({ enabled }: Facts): string | undefined {
  return enabled === undefined ? undefined : enabled ? 'yes' : 'no';
}

function listWords(list: string[] | null | undefined, nothing: string): string | undefined {
  if (list === undefined) return undefined;
  return list === null || list.length === 0 ? nothing : list.join(', ');
}

/**
 * The body of the request that carries it out. Null where a person must send it again: a password and new public keys are
 * not stored.
 */
export function bodyToCarryOut({ operation, change }: AccessChange): Record<string, unknown> | null {
  const facts = change as Facts;
  const given = ({ wallet_ids, allowed_ips }: Facts) => ({
    ...(wallet_ids ? { wallet_ids } : {}),
    ...(allowed_ips ? { allowed_ips } : {}),
  });
  switch (operation) {
    case 'addMember':
      return null;
    case 'changeMember':
      return { role: facts.role, ...wallets(facts) };
    case 'createInvitation':
      return { email: facts.email, role: facts.role, ...given(facts) };
    case 'createServiceUser':
      return facts.public_keys?.length === 0 ? { name: facts.name, role: facts.role, ...given(facts) } : null;
    case 'changeServiceUser': {
      if (`${facts.public_keys}` !== `${facts.before?.public_keys}`) return null;
      const addresses = facts.allowed_ips ? { allowed_ips: facts.allowed_ips } : { all_addresses: true };
      const enabled = facts.enabled === facts.before?.enabled ? {} : { enabled: facts.enabled };
      return { name: facts.name, role: facts.role, ...wallets(facts), ...addresses, ...enabled };
    }
    case 'createApiKey':
      return {
        name: facts.name,
        scopes: facts.scopes,
        ...given(facts),
        ...(facts.expires_at ? { expires_at: facts.expires_at } : {}),
      };
    case 'createPayee':
      return payeeBody(facts);
    case 'changePayee':
      return { name: facts.name };
    default:
      return {};
  }
}

function payeeBody({ name, destination, memo_id, asset_code, asset_issuer, note }: Facts) {
  const given = { asset_code, asset_issuer, note };
  const memo = memo_id === undefined ? {} : { memo_id: BigInt(memo_id) };
  return { name, destination, ...memo, ...withoutUndefined(given) };
}

function wallets({ role, wallet_ids }: Facts) {
  if (wallet_ids) return { wallet_ids };
  return role && usesAllWallets(role) ? {} : { all_wallets: true };
}
