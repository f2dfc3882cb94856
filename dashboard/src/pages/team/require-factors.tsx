import { Switch } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { Team } from '../../api/contract.ts';
import { factorsQuery } from '../../api/factors.ts';
import { teamQuery } from '../../api/team.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { Section } from '../developers/section.tsx';

/** Whether the team requires second factors. Only an owner changes it. */
export function RequireFactors({ team, isOwner }: { team: Team; isOwner: boolean }) {
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (second_factor_required: boolean) => api('changeTeam', { body: { second_factor_required } }),
    onSuccess: (changed) => {
      client.setQueryData(teamQuery.queryKey, changed);
      void client.invalidateQueries({ queryKey: factorsQuery.queryKey });
    },
  });
  return (
    <Section
      title="Second factors"
      description="Withdrawals, new wallets, API keys, signing secrets, policies and members then need a second factor of every member. A member without one can still sign in and read."
    >
      <Switch
        label="Every member needs a second factor"
        checked={team.second_factor_required}
        disabled={!isOwner || change.isPending}
        onChange={(event) => change.mutate(event.currentTarget.checked)}
        mb={change.error ? 'md' : 0}
      />
      {change.error && <ErrorAlert error={change.error} />}
    </Section>
  );
}
