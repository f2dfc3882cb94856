import { Card, Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

type Props = { title: string; description?: ReactNode; actions?: ReactNode; children: ReactNode };

/** A part of the page with its own heading. */
export function Section({ title, description, actions, children }: Props) {
  return (
    <Card withBorder padding="lg" component="section" aria-label={title}>
      <Group justify="space-between" align="flex-start" gap="sm" mb="md">
        <div>
          <Title order={2} size="h4">
            {title}
          </Title>
          {description && (
            <Text component="div" size="sm" c="dimmed" maw={680} mt={4}>
              {description}
            </Text>
          )}
        </div>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Card>
  );
}
