import { Badge, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Payee } from '../api/contract.ts';
import { payeesQuery, useFindPayee } from '../api/payees.ts';
import { isolated } from '../text/isolate.ts';
import { isNew, type Paid } from '../text/payees.ts';
import { shortened } from './copy.tsx';

/** The name of the payee above an address, with its marks; nothing where the team has no such payee. */
export function PayeeName({ paid }: { paid: Paid }) {
  const payee = useFindPayee()(paid);
  const { isError } = useQuery(payeesQuery);
  // Without a word, a payee that is new would look like an address that nobody has saved.
  if (!payee && isError) return <Text size="xs">The payees of the team could not be read.</Text>;
  if (!payee) return null;
  return (
    <Group gap="xs" component="div">
      <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
        {isolated(payee.name)}
      </Text>
      <PayeeMarks payee={payee} />
    </Group>
  );
}

/** The name of the payee with its shortened address, for lists; where the team has no such payee, the address alone. */
export function PayeeWords({ paid }: { paid: Paid }) {
  const payee = useFindPayee()(paid);
  const address = (
    <span className="mono" title={paid.destination}>
      {shortened(paid.destination)}
    </span>
  );
  if (!payee) return address;
  return (
    <>
      {isolated(payee.name)} ({address})
    </>
  );
}

/** What to look at twice: a payee that is new, or has never been paid. */
export function PayeeMarks({ payee }: { payee: Payee }) {
  return (
    <>
      {isNew(payee, Date.now()) && (
        <Badge color="yellow" variant="light">
          New payee
        </Badge>
      )}
      {payee.last_paid_at === null && (
        <Badge color="yellow" variant="light">
          First payment
        </Badge>
      )}
    </>
  );
}
