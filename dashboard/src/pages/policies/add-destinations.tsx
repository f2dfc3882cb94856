import { MultiSelect, Stack, Textarea } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { ApiError } from '../../api/client.ts';
import type { Policy } from '../../api/contract.ts';
import { usePayees } from '../../api/payees.ts';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { FormButtons } from '../../components/form-buttons.tsx';
import { isolated } from '../../text/isolate.ts';
import { EffectNotice } from './effect-notice.tsx';
import { readAddresses } from './read-addresses.ts';
import { EVERYWHERE_GOES, everywhereIsPending, needsApprovals, targetOf } from './target.ts';
import { useChangePolicy } from './use-policy.ts';

/** Adds payees and addresses to the list. The first ones restrict the wallet to them. */
export function AddDestinations({ policy, onClose }: { policy: Policy; onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const [left, setLeft] = useState(false);
  const change = useChangePolicy(policy, onClose);
  const [chosen, setChosen] = useState<string[]>([]);
  const payees = usePayees();
  const read = readAddresses(typed);
  const addresses = [...chosen, ...read.addresses];
  const problem = chosen.length > 0 && typed.trim() === '' ? null : read.problem;
  const first = policy.destinations === null;
  // If every destination is pending, add to the list in force.
  const list = targetOf(policy).destinations ?? policy.destinations ?? [];

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    setLeft(true);
    if (!problem) change.mutate({ destinations: [...new Set([...list, ...addresses])] });
  }

  const refused = change.error instanceof ApiError ? change.error.fieldMessage('destinations') : null;
  return (
    <Dialog
      onClose={onClose}
      closeOnClickOutside={false}
      title={first ? 'Restrict destinations' : 'Add destinations'}
      size="lg"
    >
      <form onSubmit={submit} noValidate>
        <Stack>
          {payees.length > 0 && (
            <MultiSelect
              label="Payees"
              description="Each only with its own memo and asset"
              data={payees
                .filter(({ id }) => !list.includes(id))
                .map(({ id, name }) => ({ value: id, label: isolated(name) }))}
              value={chosen}
              searchable
              comboboxProps={{ keepMounted: false }}
              limit={20}
              nothingFoundMessage="No payee matches"
              onChange={(ids) => {
                setChosen(ids);
                change.reset();
              }}
            />
          )}
          <Textarea
            label="Addresses"
            description="G…, M…, C… or W…, one on each line"
            required={chosen.length === 0}
            data-autofocus
            autosize
            minRows={3}
            maxRows={12}
            spellCheck={false}
            classNames={{ input: 'mono' }}
            value={typed}
            onChange={({ currentTarget }) => {
              setTyped(currentTarget.value);
              change.reset();
            }}
            onBlur={() => setLeft(typed.trim() !== '')}
            error={(left && problem) || refused}
          />
          <EffectNotice
            effect={first ? 'at_once' : 'later'}
            delay_seconds={policy.delay_seconds}
            needs_approvals={needsApprovals(policy, 'destinations')}
          >
            {first
              ? 'Only these destinations can be paid. To add more later is a change that allows more.'
              : `These destinations can be paid too.${everywhereIsPending(policy) ? EVERYWHERE_GOES : ''}`}
          </EffectNotice>
          {change.error && !refused && <ErrorAlert error={change.error} />}
          <FormButtons
            action={first ? 'Allow only these' : 'Add'}
            pending={change.isPending}
            keeps_focus
            onClose={onClose}
          />
        </Stack>
      </form>
    </Dialog>
  );
}
