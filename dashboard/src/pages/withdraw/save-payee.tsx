import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { Withdrawal } from '../../api/contract.ts';
import { useMay } from '../../api/me.ts';
import { payeesQuery, useFindPayee } from '../../api/payees.ts';
import { NewPayee } from '../payees/new-payee.tsx';

/** Offers to save whom a withdrawal has paid, where the team has no such payee. */
export function SavePayee({ withdrawal }: { withdrawal: Withdrawal }) {
  const may = useMay();
  const { isSuccess } = useQuery(payeesQuery);
  const find = useFindPayee();
  const [saving, save] = useDisclosure();
  const { destination, memo_id, refund_of } = withdrawal;
  const isUnknown = isSuccess && !find(withdrawal) && refund_of === null;
  if (!saving && (!isUnknown || !may('createPayee'))) return null;
  return (
    <>
      {isUnknown && (
        <Button variant="default" onClick={save.open}>
          Save as payee
        </Button>
      )}
      {saving && (
        <NewPayee
          initial={{ destination, memo_id: memo_id === null ? '' : String(memo_id) }}
          onClose={save.close}
        />
      )}
    </>
  );
}
