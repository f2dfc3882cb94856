import { Alert, Text } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type LoginOperation, meQuery, rolesOf, useMay } from '../api/me.ts';
import { ROLE_WORDS, rolesInWords } from '../text/roles.ts';
import { Loaded } from './loaded.tsx';

type Props = {
  operation: LoginOperation;
  /** What the operation does: “withdraw from this wallet”. */
  what: string;
  children: ReactNode;
};

/** The content for roles that may do this. Other roles read which roles may. */
export function Permitted({ operation, what, children }: Props) {
  const me = useQuery(meQuery);
  const may = useMay();
  if (!me.data) return <Loaded query={me}>{() => null}</Loaded>;
  if (may(operation)) return children;
  return (
    <Alert color="gray" icon={<IconLock />} title={`Your role cannot ${what}`}>
      <Text size="sm">
        Your role is {ROLE_WORDS[me.data.role].label.toLowerCase()}. These roles can {what}:{' '}
        {rolesInWords(rolesOf(operation)).toLowerCase()}. An owner or admin of the team can change your role.
      </Text>
    </Alert>
  );
}
