import { Checkbox, NumberInput, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { assetsQuery } from '../../api/assets.ts';
import type { ApprovalRule, Policy } from '../../api/contract.ts';
import { AmountFields } from '../../components/amount-fields.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { FormButtons } from '../../components/form-buttons.tsx';
import { type AssetFields, distinctAssets, NATIVE } from '../../text/asset.ts';
import { type ByAsset, readAmounts, typedAmounts } from '../../text/typed-amounts.ts';
import { KIND_WORDS } from './approval-kinds.ts';
import { useChangePolicy } from './use-policy.ts';

const KINDS = Object.keys(KIND_WORDS) as ApprovalRule['for'];
const MOST = 10;

type Typed = {
  required: number | string;
  kinds: ApprovalRule['for'];
  amounts: ByAsset;
  without_factor: boolean;
};

/** Asks how many approvals, for what, and above which amounts. */
export function ApprovalsDialog({ policy, onClose }: { policy: Policy; onClose: () => void }) {
  const { data } = useQuery(assetsQuery(policy.wallet_id));
  const change = useChangePolicy(policy, onClose);
  const [typed, setTyped] = useState(() => typedOf(policy.approvals));
  const [tried, setTried] = useState(false);
  const assets = distinctAssets([NATIVE, ...(data?.items ?? []), ...(policy.approvals?.above ?? [])]);
  const read = readRule(typed, assets);
  const type = (next: Partial<Typed>) => {
    setTyped({ ...typed, ...next });
    change.reset();
  };

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    setTried(true);
    if (read.rule) change.mutate({ approvals: read.rule });
  }

  return (
    <Dialog onClose={onClose} title="Approvals">
      <form onSubmit={submit} noValidate>
        <Stack>
          <NumberInput
            label="Approvals"
            description="By others than the member who asks. With 2, the team needs 3 members who may approve."
            min={1}
            max={MOST}
            allowDecimal={false}
            value={typed.required}
            onChange={(required) => type({ required })}
            error={tried && read.problems.required}
            data-autofocus
          />
          <Checkbox.Group
            label="For"
            value={typed.kinds}
            onChange={(kinds) => type({ kinds: KINDS.filter((kind) => kinds.includes(kind)) })}
            error={tried && read.problems.kinds}
          >
            <Stack gap="xs" mt="xs">
              {KINDS.map((kind) => (
                <Checkbox key={kind} value={kind} label={KIND_WORDS[kind]} />
              ))}
            </Stack>
          </Checkbox.Group>
          {typed.kinds.includes('withdrawals') && (
            <AmountFields
              assets={assets}
              label="Above, in"
              description="What is paid without approvals in 24 hours, together. Empty: every withdrawal of this asset"
              typed={typed.amounts}
              problems={tried ? read.problems : {}}
              onType={(amounts) => type({ amounts })}
            />
          )}
          <Checkbox
            label="Members without a second factor may decide"
            description="With their password alone, which is stolen more easily."
            checked={typed.without_factor}
            onChange={(event) => type({ without_factor: event.currentTarget.checked })}
          />
          <Text size="sm">
            A rule that asks for more approvals applies at once. A rule that asks for fewer needs approvals by
            today’s rule.
          </Text>
          {change.error && <ErrorAlert error={change.error} />}
          <FormButtons action="Ask for approvals" pending={change.isPending} onClose={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}

function typedOf(rule: ApprovalRule | null): Typed {
  return {
    required: rule?.required ?? 1,
    kinds: rule?.for ?? ['withdrawals', 'policies'],
    amounts: typedAmounts(rule?.above ?? []),
    without_factor: rule?.without_factor ?? false,
  };
}

/** The rule, or the problem of each field. */
function readRule(
  { required, kinds, amounts: typed, without_factor }: Typed,
  assets: AssetFields[],
): { rule: ApprovalRule | null; problems: Record<string, string> } {
  const { amounts: above, problems } = readAmounts(kinds.includes('withdrawals') ? assets : [], typed);
  if (typeof required !== 'number' || required < 1 || required > MOST)
    problems.required = `It must be from 1 to ${MOST}.`;
  if (kinds.length === 0) problems.kinds = 'Choose what needs approvals.';
  const isRight = Object.keys(problems).length === 0;
  const rule = { required: Number(required), above, for: kinds, without_factor };
  return { rule: isRight ? rule : null, problems };
}
