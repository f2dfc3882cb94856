import { Alert, Text } from '@mantine/core';
import { IconLockOpen } from '@tabler/icons-react';

/**
 * Stands where a password would be typed while `window.isSecureContext` is false: a browser keeps the cookie of a session from
 * HTTPS and from its own machine only, and drops it without a word.
 */
export function NotSecure() {
  return (
    <Alert color="orange" variant="light" icon={<IconLockOpen />} role="alert" title="Sign in over HTTPS">
      <Text size="sm">
        This page came over plain HTTP from <strong>{window.location.host}</strong>. Everybody on the way
        could read a password that you type here, and the browser would not keep you signed in.
      </Text>
      <Text size="sm" mt="xs">
        Open the https:// address of the service. If it has none, the operator of the service puts a proxy
        with TLS before it. On the machine of the service itself, http://localhost works too.
      </Text>
    </Alert>
  );
}
