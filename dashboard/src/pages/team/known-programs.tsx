import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { RemovedMember } from '../../api/contract.ts';
import { Dialog } from '../../components/dialog.tsx';
import { LinedItem, LinedList } from '../../components/lined-list.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { isolated } from '../../text/isolate.ts';

type Props = { name: string; service_users: RemovedMember['service_users']; onClose: () => void };

/** After a member was removed: the service users whose credentials that member knows, with a link to each. */
export function KnownPrograms({ name, service_users, onClose }: Props) {
  return (
    <Dialog onClose={onClose} closeOnClickOutside={false} title={`${isolated(name)} was removed`}>
      <Stack>
        <Alert color="orange" icon={<IconAlertTriangle />} title="These service users go on">
          <Text size="sm">
            {isolated(name)} knows a secret or a key of each, and can still act as the program. Give each a
            new secret or key, then retire the old ones.
          </Text>
        </Alert>
        <LinedList>
          {service_users.map((each) => (
            <LinedItem key={each.id}>
              <TextLink to="/team" hash={each.id} onClick={onClose} style={{ overflowWrap: 'anywhere' }}>
                {each.name}
              </TextLink>
            </LinedItem>
          ))}
        </LinedList>
        <Group justify="flex-end">
          <Button onClick={onClose} data-autofocus>
            Done
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
