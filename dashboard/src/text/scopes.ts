/** Pure: the scopes of API keys in words. */
import type { Scope } from '../api/contract.ts';

export const SCOPE_WORDS: Record<Scope, { label: string; may: string }> = {
  read: { label: 'Read', may: 'Reads the wallet, balances, transactions, deposits and deposit addresses.' },
  addresses: { label: 'Addresses', may: 'Creates, changes and reads deposit addresses.' },
  webhooks: {
    label: 'Webhooks',
    may: 'Registers and tests webhook endpoints, and reads events and deliveries.',
  },
};

export const SCOPES = Object.keys(SCOPE_WORDS) as Scope[];

export function scopesInWords(scopes: Scope[]): string {
  return scopes.map((scope) => SCOPE_WORDS[scope].label).join(', ');
}
