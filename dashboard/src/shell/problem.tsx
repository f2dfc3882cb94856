import { Button, Code, Container, Text, Title } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';

/** A fault of the dashboard itself, or a page that could not be loaded because the service was upgraded meanwhile. */
export function Problem({ error }: ErrorComponentProps) {
  return (
    <Container size="xs" py="xl" role="alert">
      <Title order={1} size="h2">
        This page could not be shown
      </Title>
      <Text my="sm">
        Nothing was sent. Loading it again usually helps, for instance after an upgrade of the service.
      </Text>
      <Code block>{String(error)}</Code>
      <Button mt="md" onClick={() => window.location.reload()}>
        Load again
      </Button>
    </Container>
  );
}
