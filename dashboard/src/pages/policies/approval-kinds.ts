/** What approvals can be asked for, in words. */
export const KIND_WORDS = {
  withdrawals: 'withdrawals above an amount',
  policies: 'every change of these rules that allows more',
  destinations: 'more allowed destinations',
  members: 'members and service users that may use this wallet',
  api_keys: 'API keys of this wallet',
} as const;
