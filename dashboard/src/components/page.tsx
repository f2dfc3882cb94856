import { Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';

/** On the first page of a visit the browser places the focus. */
let is_first = true;

/** A page's heading, actions and content. */
export function Page({
  title,
  description,
  actions,
  children,
}: {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} · Stellar Teller`;
  }, [title]);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The link that was followed is gone. Keyboard and screen reader users continue at this heading.
    if (!is_first && document.activeElement === document.body)
      heading.current?.focus({ preventScroll: true });
    is_first = false;
  }, []);
  return (
    <Stack gap="lg" maw={1180} mx="auto">
      <Group justify="space-between" align="flex-start" gap="sm">
        <div style={{ minWidth: 0 }}>
          <Title
            order={1}
            size="h2"
            ref={heading}
            tabIndex={-1}
            style={{ overflowWrap: 'anywhere', outline: 'none' }}
          >
            {title}
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
