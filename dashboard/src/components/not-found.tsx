import { Button, Container, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';

export function NotFound() {
  return (
    <Container size="xs" py="xl">
      <Title order={1} size="h2">
        Page not found
      </Title>
      <Text mt="sm" mb="lg" c="dimmed">
        This page does not exist, or it belongs to another user’s wallet.
      </Text>
      <Button renderRoot={(props) => <Link to="/wallets" {...props} />}>Go to your wallets</Button>
    </Container>
  );
}
