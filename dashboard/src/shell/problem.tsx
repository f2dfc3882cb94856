import { Button, Code, Container, Text, Title } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { useEffect } from 'react';

/** A fault of the dashboard itself, or a page that could not be loaded because the service was upgraded meanwhile. */
export function Problem({ error }: ErrorComponentProps) {
  useEffect(() => {
    document.title = 'Not shown · Stellar Teller';
  }, []);
  return (
    <Container component="main" size="xs" py="xl">
      <Title order={1} size="h2">
        This page could not be shown
      </Title>
      <Text my="sm" role="alert">
        Loading it again usually helps, for instance after an upgrade of the service. What was sent before
        goes on.
      </Text>
      <Code block tabIndex={0}>
        {String(error)}
      </Code>
      <Button mt="md" onClick={() => window.location.reload()}>
        Load again
      </Button>
    </Container>
  );
}
