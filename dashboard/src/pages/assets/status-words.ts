/** Pure: the status of an asset in words. */
import type { WalletAsset } from '../../api/contract.ts';

type Words = { label: string; meaning: string | null };

export const STATUS_WORDS: Record<WalletAsset['status'], Words> = {
  pending: {
    label: 'being added',
    meaning: 'The transaction has no outcome yet. This page shows it as soon as it is known.',
  },
  active: { label: 'active', meaning: null },
  unauthorized: {
    label: 'not approved',
    meaning:
      'The issuer has not approved this wallet, or has withdrawn its approval. The wallet can neither take nor pay the asset: ask the issuer.',
  },
  maintain_liabilities: {
    label: 'on hold',
    meaning: 'The issuer has restricted this wallet. It can neither take nor pay the asset.',
  },
  removing: {
    label: 'being removed',
    meaning: 'The removal has no outcome yet. This page shows it as soon as it is known.',
  },
  failed: { label: 'failed', meaning: 'The wallet does not have the asset.' },
  absent: { label: 'not added', meaning: null },
};
