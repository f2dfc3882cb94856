import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import type { Policy } from '../../api/contract.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { editableUnits, formatUnits, parseUnits } from '../../text/money.ts';
import { EffectNotice } from './effect-notice.tsx';
import { effectOfLimit, type LimitField } from './target.ts';
import { useChangePolicy } from './use-policy.ts';

type Props = { policy: Policy; field: LimitField; title: string; onClose: () => void };

export function LimitDialog({ remove, ...props }: Props & { remove: boolean }) {
  return remove ? <RemoveLimit {...props} /> : <SetLimit {...props} />;
}

function RemoveLimit({ policy, field, title, onClose }: Props) {
  const change = useChangePolicy(policy, onClose);
  return (
    <ConfirmDialog
      title={`Remove the ${title.toLowerCase()}?`}
      action="Remove the limit"
      pending={change.isPending}
      error={change.error}
      onConfirm={() => change.mutate({ [field]: null })}
      onClose={onClose}
    >
      <EffectNotice effect="later" delay_seconds={policy.delay_seconds}>
        There will be no limit.
      </EffectNotice>
    </ConfirmDialog>
  );
}

function SetLimit({ policy, field, title, onClose }: Props) {
  const in_force = policy[field];
  const [typed, setTyped] = useState(in_force === null ? '' : editableUnits(in_force));
  const [tried, setTried] = useState(false);
  const change = useChangePolicy(policy, onClose);
  const read = parseUnits(typed);

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    setTried(true);
    if ('stroops' in read) change.mutate({ [field]: read.stroops });
  }

  return (
    <Dialog onClose={onClose} title={title}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextInput
            label="Limit"
            required
            data-autofocus
            inputMode="decimal"
            autoComplete="off"
            rightSection={<Text size="sm">XLM</Text>}
            rightSectionWidth={52}
            value={typed}
            onChange={({ currentTarget }) => {
              setTyped(currentTarget.value);
              change.reset();
            }}
            error={tried && 'problem' in read && `The limit ${read.problem}.`}
          />
          {'stroops' in read && <Effect policy={policy} field={field} wanted={read.stroops} />}
          {change.error && <ErrorAlert error={change.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={change.isPending}>
              Set the limit
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

function Effect({ policy, field, wanted }: { policy: Policy; field: LimitField; wanted: bigint }) {
  const in_force = policy[field];
  const effect = effectOfLimit(in_force, wanted);
  const takes_back = policy.pending.some((change) => change.field === field);
  if (effect === 'none' && !takes_back)
    return (
      <Text size="sm" c="dimmed">
        This limit is already in force.
      </Text>
    );
  const is_raise = effect === 'later';
  const words = [
    effect === 'none'
      ? 'The limit stays as it is.'
      : `The limit will be ${formatUnits(wanted)} XLM${in_force === null ? '' : ` instead of ${formatUnits(in_force)} XLM`}.`,
    takes_back && (is_raise ? 'This replaces the pending change.' : 'The pending change is cancelled.'),
  ];
  return (
    <EffectNotice effect={effect} delay_seconds={policy.delay_seconds}>
      {words.filter(Boolean).join(' ')}
    </EffectNotice>
  );
}
