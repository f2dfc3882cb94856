/** What approvals can be asked for, in words. */
export const KIND_WORDS = {
  withdrawals: 'withdrawals above an amount',
  policies: 'every looser rule of this page',
  destinations: 'more allowed destinations',
} as const;
