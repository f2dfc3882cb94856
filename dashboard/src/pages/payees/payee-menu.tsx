import { Menu } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { Payee } from '../../api/contract.ts';
import { useMay } from '../../api/me.ts';
import { ManageMenu } from '../../components/manage-menu.tsx';
import { ChangePayee, DeletePayee } from './payee-dialogs.tsx';

/** What can be done with a payee; nothing for a role that may do none of this. */
export function PayeeMenu({ payee, onDeleted }: { payee: Payee; onDeleted?: () => void }) {
  const may = useMay();
  const [dialog, setDialog] = useState<'change' | 'delete' | null>(null);
  const close = () => setDialog(null);
  if (!may('changePayee')) return null;
  return (
    <>
      <ManageMenu what={`the payee ${payee.name}`}>
        <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => setDialog('change')}>
          Change name or note
        </Menu.Item>
        <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={() => setDialog('delete')}>
          Delete
        </Menu.Item>
      </ManageMenu>
      {dialog === 'change' && <ChangePayee payee={payee} onClose={close} />}
      {dialog === 'delete' && <DeletePayee payee={payee} onClose={close} onDeleted={onDeleted} />}
    </>
  );
}
