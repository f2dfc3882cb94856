import type { WalletHealth } from './contract.ts';

/** `inbox.unattributed` of the health counts no further: it means so many or more. */
const MOST_UNATTRIBUTED = 1000;

/** Returns how many deposits of an inbox wait for a decision: own funds can stay there. `isCut`: so many or more. */
export function waitingIn({ unattributed, own_funds }: WalletHealth['inbox']): {
  count: number;
  isCut: boolean;
} {
  return { count: unattributed - own_funds, isCut: unattributed === MOST_UNATTRIBUTED };
}
