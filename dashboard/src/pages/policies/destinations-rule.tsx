import { ActionIcon, Button, Group, Stack, Text, Tooltip } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { Policy } from '../../api/contract.ts';
import { useMay } from '../../api/me.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { AddDestinations } from './add-destinations.tsx';
import { AllowedEntry } from './allowed-entry.tsx';
import { EffectNotice } from './effect-notice.tsx';
import { Rule } from './rule.tsx';
import { EVERYWHERE_GOES, everywhereIsPending, needsApprovals, targetOf } from './target.ts';
import { useChangePolicy } from './use-policy.ts';

type Dialog = { kind: 'add' | 'everywhere' } | { kind: 'remove'; destination: string };

export function DestinationsRule({ policy }: { policy: Policy }) {
  const { destinations, wallet_id } = policy;
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const close = () => setDialog(null);
  return (
    <Rule
      walletId={wallet_id}
      title="Allowed destinations"
      description="A G… address allows its account and every M… address of it, a C… address its contract and every W… address of it; an M… or W… address only itself; a payee only itself, with its memo and asset."
      actions={
        <>
          {destinations && (
            <Button variant="subtle" onClick={() => setDialog({ kind: 'everywhere' })}>
              Allow every destination
            </Button>
          )}
          <Button variant="default" onClick={() => setDialog({ kind: 'add' })}>
            {destinations ? 'Add destinations' : 'Restrict destinations'}
          </Button>
        </>
      }
      pending={policy.pending.filter(({ field }) => field === 'destinations')}
    >
      <Allowed
        destinations={destinations}
        onRemove={(destination) => setDialog({ kind: 'remove', destination })}
      />
      {dialog?.kind === 'add' && <AddDestinations policy={policy} onClose={close} />}
      {dialog?.kind === 'everywhere' && <Everywhere policy={policy} onClose={close} />}
      {dialog?.kind === 'remove' && <Remove policy={policy} {...dialog} onClose={close} />}
    </Rule>
  );
}

type AllowedProps = { destinations: string[] | null; onRemove: (destination: string) => void };

function Allowed({ destinations, onRemove }: AllowedProps) {
  const may = useMay();
  if (destinations === null) return <Text fw={600}>Every destination</Text>;
  if (destinations.length === 0) return <Text fw={600}>None: nothing can be paid</Text>;
  return (
    <Stack component="ul" gap={4} p={0} m={0} style={{ listStyle: 'none' }}>
      {destinations.map((destination) => (
        <Group key={destination} component="li" gap="xs" justify="space-between" wrap="nowrap">
          <Text size="sm" component="span">
            <AllowedEntry entry={destination} ends={12} />
          </Text>
          {may('changePolicy') && (
            <Tooltip label="Remove">
              <ActionIcon
                variant="subtle"
                color="gray"
                onClick={() => onRemove(destination)}
                aria-label={`Remove ${destination}`}
              >
                <IconTrash size={16} />
              </ActionIcon>
            </Tooltip>
          )}
        </Group>
      ))}
    </Stack>
  );
}

type DialogProps = { policy: Policy; onClose: () => void };

function Everywhere({ policy, onClose }: DialogProps) {
  const change = useChangePolicy(policy, onClose);
  return (
    <ConfirmDialog
      title="Allow every destination?"
      action="Allow every destination"
      pending={change.isPending}
      error={change.error}
      onConfirm={() => change.mutate({ destinations: null })}
      onClose={onClose}
    >
      <EffectNotice
        effect="later"
        delay_seconds={policy.delay_seconds}
        needs_approvals={needsApprovals(policy, 'destinations')}
      >
        The list is removed. Every destination can be paid.
      </EffectNotice>
    </ConfirmDialog>
  );
}

function Remove({ policy, destination, onClose }: DialogProps & { destination: string }) {
  const change = useChangePolicy(policy, onClose);
  const last = policy.destinations?.length === 1;
  const rest = (targetOf(policy).destinations ?? policy.destinations ?? []).filter(
    (entry) => entry !== destination,
  );
  return (
    <ConfirmDialog
      title="Remove this destination?"
      action="Remove"
      danger
      pending={change.isPending}
      error={change.error}
      onConfirm={() => change.mutate({ destinations: rest })}
      onClose={onClose}
    >
      <Text size="sm" component="div" mb="sm" style={{ overflowWrap: 'anywhere' }}>
        <AllowedEntry entry={destination} whole />
      </Text>
      <EffectNotice effect="at_once" delay_seconds={policy.delay_seconds}>
        {`It can no longer be paid.${last ? ' It is the last one: after that, nothing can be paid.' : ''} To add it again is a change that allows more.${everywhereIsPending(policy) ? EVERYWHERE_GOES : ''}`}
      </EffectNotice>
    </ConfirmDialog>
  );
}
