import { Center, Stack, Text, ThemeIcon } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** Shown in place of an empty list: why it is empty, and what to do. */
export function EmptyState({
  icon: Picture,
  title,
  children,
}: {
  icon: Icon;
  title: string;
  children?: ReactNode;
}) {
  return (
    <Center py={48}>
      <Stack align="center" gap="xs" maw={420}>
        <ThemeIcon size={48} radius="xl" variant="light" color="gray">
          <Picture size={26} stroke={1.5} />
        </ThemeIcon>
        <Text fw={600}>{title}</Text>
        {children && (
          <Text component="div" size="sm" c="dimmed" ta="center">
            {children}
          </Text>
        )}
      </Stack>
    </Center>
  );
}
