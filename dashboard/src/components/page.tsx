import { Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';

/** On the first page of a visit the browser places the focus. */
let is_first = true;

/** A page's heading, actions and content. `heading`: where it says more than the title of the tab. `trail`: the way here, above it. */
export function Page({
  title,
  heading,
  trail,
  description,
  actions,
  children,
}: {
  title: string;
  heading?: ReactNode;
  trail?: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} · Stellar Teller`;
  }, [title]);
  const h1 = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The link that was followed is gone. Keyboard and screen reader users continue at this heading.
    if (!is_first && document.activeElement === document.body) h1.current?.focus({ preventScroll: true });
    is_first = false;
  }, []);
  return (
    <Stack gap="lg" maw={1180} mx="auto">
      <Group justify="space-between" align="flex-start" gap="sm">
        <div style={{ minWidth: 0 }}>
          {trail}
          <Title
            order={1}
            size="h2"
            ref={h1}
            tabIndex={-1}
            style={{ overflowWrap: 'anywhere', outline: 'none' }}
          >
            {heading ?? title}
          </Title>
          {description && (
            <Text c="dimmed" mt={4} maw={640}>
              {description}
            </Text>
          )}
        </div>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}
