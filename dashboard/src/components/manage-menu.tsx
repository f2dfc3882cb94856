import { Button, Menu } from '@mantine/core';
import { IconDotsVertical } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** What can be done with a member, a service user or a payee. `what`: names it for screen readers. */
export function ManageMenu({ what, children }: { what: string; children: ReactNode }) {
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconDotsVertical size={14} />}
          aria-label={`Manage ${what}`}
        >
          Manage
        </Button>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
