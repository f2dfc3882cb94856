import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { meQuery } from '../../api/me.ts';
import { teamQuery } from '../../api/team.ts';
import { RenameDialog } from '../../components/rename-dialog.tsx';

export function RenameTeam({ name, onClose }: { name: string; onClose: () => void }) {
  const client = useQueryClient();
  const rename = useMutation({
    mutationFn: (typed: string) => api('changeTeam', { body: { name: typed } }),
    onSuccess: (team) => {
      client.setQueryData(teamQuery.queryKey, team);
      void client.invalidateQueries({ queryKey: meQuery.queryKey });
      onClose();
    },
  });
  return (
    <RenameDialog
      title="Rename team"
      name={name}
      description="All members see it."
      rename={rename}
      onClose={onClose}
    />
  );
}
