import { Container, Text, Title } from '@mantine/core';

/** Shown in browsers that round numbers beyond 2^53: a wrong amount is worse than none. */
export function BrowserTooOld() {
  return (
    <Container component="main" size="xs" py="xl">
      <Title order={1} size="h2">
        Please update your browser
      </Title>
      <Text mt="md">
        This browser rounds large amounts. Current versions of Firefox, Chrome, Edge and Safari show them
        exactly.
      </Text>
    </Container>
  );
}
