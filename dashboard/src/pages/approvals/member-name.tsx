import { Group, Skeleton } from '@mantine/core';
import { IconRobot } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { formerNamesQuery, memberNamesQuery } from '../../api/approvals.ts';
import { useMay } from '../../api/me.ts';
import { serviceUsersQuery } from '../../api/team.ts';
import { isolated } from '../../text/isolate.ts';

type Props = {
  /** Of a member or a service user. */
  id: string;
  /** Without the e-mail address, where there is little room. */
  short?: boolean;
};

/** The name and e-mail address of a member, also of one who has left the team, or the name of a service user. */
export function MemberName({ id, short = false }: Props) {
  return id.startsWith('svu_') ? <ServiceUserName id={id} /> : <PersonName id={id} short={short} />;
}

function PersonName({ id, short }: Required<Props>) {
  const { data, isFetching } = useQuery(memberNamesQuery);
  const member = data?.get(id);
  const former = useQuery({ ...formerNamesQuery, enabled: data !== undefined && !member });
  const known = member ?? former.data?.get(id);
  // An id that turns into a name would be read as another person. A member who has joined since the names were read is not among them yet.
  if (!known && (isFetching || former.isFetching))
    return <Skeleton component="span" display="inline-block" w={short ? 80 : 160} h="0.8em" aria-hidden />;
  if (!known) return <span style={{ overflowWrap: 'anywhere' }}>{id}</span>;
  const about = known.left_at === null ? known.email : `${known.email}, has left the team`;
  return (
    <span style={{ overflowWrap: 'anywhere' }} title={short ? about : undefined}>
      {isolated(known.name)}
      {!short && ` (${about})`}
    </span>
  );
}

/** Not every role may list service users: the others read that a program acted. */
function ServiceUserName({ id }: { id: string }) {
  const may = useMay();
  const { data } = useQuery({ ...serviceUsersQuery, enabled: may('listServiceUsers') });
  const name = data?.items.find((each) => each.id === id)?.name;
  return (
    <Group component="span" display="inline-flex" gap={4} wrap="nowrap" title={id}>
      <IconRobot size={16} aria-label="Service user" style={{ flex: 'none' }} />
      <span style={{ overflowWrap: 'anywhere' }}>{name ? isolated(name) : 'a service user'}</span>
    </Group>
  );
}
