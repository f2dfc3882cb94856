import { Button, Container, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';

export function NotFound() {
  return (
    <Container size="xs" py="xl">
      <Title order={1} size="h2">
        There is nothing here
      </Title>
      <Text mt="sm" mb="lg" c="dimmed">
        The page does not exist, or it belongs to a wallet of another user.
      </Text>
      <Button renderRoot={(props) => <Link to="/wallets" {...props} />}>Go to your wallets</Button>
    </Container>
  );
}
