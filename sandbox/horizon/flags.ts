/** Names of flag bits, lowest bit first. The misspelling is Horizon's. */
const ACCOUNT_FLAGS = ['auth_required', 'auth_revocable', 'auth_immutable', 'auth_clawback_enabled'];
const TRUST_LINE_FLAGS = ['authorized', 'authorized_to_maintain_liabilites', 'clawback_enabled'];

export const AUTH_REQUIRED = 1;
export const AUTHORIZED = 1;
export const MAINTAIN_LIABILITIES = 2;
export const CLAWBACK_ENABLED = 4;

type Change = { setFlags: number | null; clearFlags: number | null };

export function accountFlagFields({ setFlags, clearFlags }: Change) {
  return { ...listed('set', setFlags, ACCOUNT_FLAGS), ...listed('clear', clearFlags, ACCOUNT_FLAGS) };
}

export function trustLineFlagFields({ setFlags, clearFlags }: Change) {
  return { ...listed('set', setFlags, TRUST_LINE_FLAGS), ...listed('clear', clearFlags, TRUST_LINE_FLAGS) };
}

/** `set_flags: [1, 2]`, `set_flags_s: ['auth_required', 'auth_revocable']`; no field when no flag is set. */
function listed(prefix: string, flags: number | null, names: string[]): Record<string, number[] | string[]> {
  const bits = names.map((name, index) => ({ name, bit: 1 << index }));
  const meant = bits.filter(({ bit }) => ((flags ?? 0) & bit) !== 0);
  if (meant.length === 0) return {};
  return {
    [`${prefix}_flags`]: meant.map(({ bit }) => bit),
    [`${prefix}_flags_s`]: meant.map(({ name }) => name),
  };
}
