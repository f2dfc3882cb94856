import { Button, Code, Container, Text, Title } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { useEffect } from 'react';

/** Shown for an error of the dashboard itself, or if a page's code is gone after an upgrade of the service. */
export function PageError({ error }: ErrorComponentProps) {
  useEffect(() => {
    document.title = 'Error · Stellar Teller';
  }, []);
  return (
    <Container component="main" size="xs" py="xl">
      <Title order={1} size="h2">
        This page could not be loaded
      </Title>
      <Text my="sm" role="alert">
        Reload the page. This can happen after an upgrade of the service. Requests that you sent continue.
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
