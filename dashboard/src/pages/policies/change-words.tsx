import type { PendingPolicyChange } from '../../api/contract.ts';
import { Figures } from '../../components/amount.tsx';
import { AllowedEntry } from './allowed-entry.tsx';
import { allowanceWords, FIELD_WORDS, nameOf } from './limits.ts';
import { ruleInWords } from './rule-words.ts';

/** What a change of a policy does, in words. */
export function ChangeWords({ change }: { change: PendingPolicyChange }) {
  const { field, destination, new_approvals } = change;
  switch (field) {
    case 'frozen':
      return 'The wallet will be unfrozen';
    case 'approvals':
      return new_approvals
        ? `Will be asked for: ${ruleInWords(new_approvals)}`
        : 'No approvals will be asked for';
    case 'destinations':
      if (destination === null) return 'Every destination will be allowed';
      return (
        <>
          Will also be allowed: <AllowedEntry entry={destination} />
        </>
      );
    default:
      return <LimitWords change={change} field={field} />;
  }
}

type LimitProps = {
  change: PendingPolicyChange;
  field: Exclude<PendingPolicyChange['field'], 'frozen' | 'approvals' | 'destinations'>;
};

function LimitWords({ change, field }: LimitProps) {
  const { asset_code, asset_issuer, limit_stroops, ...limits } = change;
  if (asset_code === null) return 'No asset will have a limit';
  const asset = { asset_code, asset_issuer };
  if (field === 'limits')
    return `${nameOf(asset)} will be allowed: ${allowanceWords({ ...asset, ...limits })}`;
  if (limit_stroops === null) return `${nameOf(asset)} will have no limit ${FIELD_WORDS[field]}`;
  return (
    <>
      The limit of {nameOf(asset)} {FIELD_WORDS[field]} will be{' '}
      <Figures stroops={limit_stroops} asset={asset} fw={600} />
    </>
  );
}
