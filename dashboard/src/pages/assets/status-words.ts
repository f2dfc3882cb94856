/** Pure: the status of an asset in words. */
import type { WalletAsset } from '../../api/contract.ts';

type Words = { label: string; meaning: string | null };

export const STATUS_WORDS: Record<WalletAsset['status'], Words> = {
  pending: { label: 'being added', meaning: null },
  active: { label: 'active', meaning: null },
  unauthorized: {
    label: 'not approved',
    meaning:
      'The issuer has not approved this wallet, or has withdrawn its approval. The wallet can neither take nor pay the asset.',
  },
  maintain_liabilities: {
    label: 'on hold',
    meaning: 'The issuer has restricted this wallet. It can neither take nor pay the asset.',
  },
  removing: { label: 'being removed', meaning: null },
  failed: { label: 'failed', meaning: null },
  absent: { label: 'not added', meaning: null },
};
