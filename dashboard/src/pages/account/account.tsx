import { Card, Stack, Title } from '@mantine/core';
import { useSession } from '../../api/session.ts';
import { DateTime } from '../../components/date-time.tsx';
import { Details } from '../../components/details.tsx';
import { Page } from '../../components/page.tsx';
import { PasswordForm } from './password-form.tsx';

export function Account() {
  const user = useSession()?.user;
  return (
    <Page title="Account">
      <Stack gap="lg" maw={560}>
        <Card withBorder padding="lg">
          <Title order={2} size="h4" mb="sm">
            Profile
          </Title>
          {user && (
            <Details
              rows={[
                ['E-mail', user.email],
                ['Name', user.name],
                ['Created', <DateTime key="since" at={user.created_at} />],
              ]}
            />
          )}
        </Card>
        <Card withBorder padding="lg">
          <Title order={2} size="h4" mb="sm">
            Change password
          </Title>
          <PasswordForm />
        </Card>
      </Stack>
    </Page>
  );
}
