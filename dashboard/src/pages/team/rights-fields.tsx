import { Box, Checkbox, Group, Radio, ScrollArea, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Role } from '../../api/contract.ts';
import { useMe } from '../../api/me.ts';
import { usesAllWallets } from '../../api/team.ts';
import { walletsQuery } from '../../api/wallets.ts';
import { Loaded } from '../../components/loaded.tsx';
import { ROLE_WORDS } from '../../text/roles.ts';
import { type RightsChoice, rolesFor } from './rights.ts';

type Props = {
  rights: RightsChoice;
  /** Shows what is missing, after the first attempt to send. */
  tried: boolean;
  /** What the service says about the wallets. */
  refused: string | null;
  onChange: (rights: RightsChoice) => void;
  /** The roles to choose from; those that the user may give, if absent. */
  roles?: readonly Role[];
};

/** The role of a member or service user, and the wallets that it uses. */
export function RightsFields({ rights, tried, refused, onChange, roles }: Props) {
  const { role, wallet_ids } = rights;
  const own = useMe()?.role;
  const choice = roles ?? (own ? rolesFor(own) : []);
  return (
    <>
      <Radio.Group
        label="Role"
        value={role}
        onChange={(value) => onChange({ ...rights, role: value as Role })}
        error={tried && role === null && 'Choose a role.'}
      >
        <Stack gap={6} mt={4}>
          {choice.map((value) => (
            <RoleCard key={value} role={value} />
          ))}
        </Stack>
      </Radio.Group>
      {role !== null && usesAllWallets(role) ? (
        <Text size="sm" c="dimmed">
          Uses every wallet of the team, also new ones.
        </Text>
      ) : (
        <Radio.Group
          label="Wallets"
          value={wallet_ids === null ? 'all' : 'some'}
          onChange={(value) => onChange({ role, wallet_ids: value === 'all' ? null : [] })}
          error={
            refused ?? (tried && wallet_ids?.length === 0 && 'Choose at least one wallet, or all of them.')
          }
        >
          <Stack gap="xs" my="xs">
            <Radio value="all" label="All wallets of the team, also new ones" />
            <Radio
              value="some"
              label={`Only some wallets. The ${roles ? 'service user' : 'member'} does not see the others.`}
            />
          </Stack>
        </Radio.Group>
      )}
      {!(role !== null && usesAllWallets(role)) && wallet_ids && (
        <WalletChoice chosen={wallet_ids} onChoose={(ids) => onChange({ role, wallet_ids: ids })} />
      )}
    </>
  );
}

function RoleCard({ role }: { role: Role }) {
  const { label, may } = ROLE_WORDS[role];
  return (
    <Radio.Card value={role} radius="sm" px="sm" py={6}>
      <Group wrap="nowrap" gap="sm">
        <Radio.Indicator size="sm" />
        <Box>
          <Text size="sm" fw={500}>
            {label}
          </Text>
          <Text size="xs" c="dimmed">
            {may}
          </Text>
        </Box>
      </Group>
    </Radio.Card>
  );
}

type ChoiceProps = { chosen: string[]; onChoose: (wallet_ids: string[]) => void };

function WalletChoice({ chosen, onChoose }: ChoiceProps) {
  const wallets = useQuery(walletsQuery);
  return (
    <Loaded query={wallets} lines={2}>
      {({ items }) => (
        <ScrollArea.Autosize mah={220}>
          <Checkbox.Group aria-label="Wallets to use" value={chosen} onChange={onChoose}>
            <Stack gap="xs">
              {items.map(({ id, name }) => (
                <Checkbox key={id} value={id} label={name} style={{ overflowWrap: 'anywhere' }} />
              ))}
              {items.length === 0 && <Text size="sm">The team has no wallets yet.</Text>}
            </Stack>
          </Checkbox.Group>
        </ScrollArea.Autosize>
      )}
    </Loaded>
  );
}
