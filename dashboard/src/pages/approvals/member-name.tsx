import { useQuery } from '@tanstack/react-query';
import { memberNamesQuery } from '../../api/approvals.ts';
import { isolated } from '../../text/isolate.ts';

/** The name and e-mail address of a member; only the id of a user who has left the team. */
export function MemberName({ id }: { id: string }) {
  const { data } = useQuery(memberNamesQuery);
  const member = data?.get(id);
  return (
    <span style={{ overflowWrap: 'anywhere' }}>
      {member ? `${isolated(member.name)} (${member.email})` : id}
    </span>
  );
}
