import { Alert } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** Says above a page what is stopped. */
export function StoppedNotice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconLock />}
      role="status"
      title={title}
      mb="lg"
      maw={1180}
      mx="auto"
    >
      {children}
    </Alert>
  );
}
