import { Button, Code, Container, Text, Title } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { useEffect } from 'react';

/** A fault of the dashboard itself, or a page that could not be loaded because the service was upgraded meanwhile. */
export function Problem({ error }: ErrorComponentProps) {
  useEffect(() => {
    document.title = 'Error · Stellar Teller';
  }, []);
  return (
    <Container component="main" size="xs" py="xl">
      <Title order={1} size="h2">
        This page could not be loaded
      </Title>
      <Text my="sm" role="alert">
        Reload it. This can happen after an upgrade of the service. Anything you submitted before continues.
      </Text>
      <Code block tabIndex={0}>
        {String(error)}
      </Code>
      <Button mt="md" onClick={() => window.location.reload()}>
        Reload
      </Button>
    </Container>
  );
}
