import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { formerNamesQuery, memberNamesQuery } from '../../api/approvals.ts';
import type { Member } from '../../api/contract.ts';
import { useMay } from '../../api/me.ts';
import { usePayees } from '../../api/payees.ts';
import { serviceUsersQuery } from '../../api/team.ts';
import { useWallets } from '../../api/wallets.ts';
import type { Names } from './told.ts';

/** The people of the audit log: members, and those who have left the team. None until they are read. */
export function usePeople(): Member[] {
  const { data: members } = useQuery(memberNamesQuery);
  const { data: former } = useQuery(formerNamesQuery);
  return useMemo(() => [...(members?.values() ?? []), ...(former?.values() ?? [])], [members, former]);
}

/** The service users that the reader may see. */
export function useServiceUsers() {
  const may = useMay();
  const enabled = may('listServiceUsers');
  return useQuery({ ...serviceUsersQuery, enabled, refetchInterval: false }).data?.items;
}

/** The names of what the reader may open. The same object until one of the lists is read again. */
export function useNames(): Names {
  const wallets = useWallets();
  const people = usePeople();
  const service_users = useServiceUsers();
  const payees = usePayees();
  return useMemo(
    () => ({
      wallets: new Map(wallets.map(({ id, name }) => [id, name])),
      members: new Map(people.map((member) => [member.user_id, member])),
      service_users: new Map((service_users ?? []).map(({ id, name }) => [id, name])),
      payees: new Map(payees.map(({ id, name }) => [id, name])),
    }),
    [wallets, people, service_users, payees],
  );
}
