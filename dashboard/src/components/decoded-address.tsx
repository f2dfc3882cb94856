import { Group, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import type { StellarAddress } from '../text/strkey.ts';
import { Copyable } from './copy.tsx';

/** Shows a valid address decoded: an M… or W… address as its id and its account or contract. */
export function DecodedAddress({ address: { account, muxed_id, kind } }: { address: StellarAddress }) {
  return (
    <Group gap={6} mt={6} wrap="nowrap" align="flex-start">
      <IconCircleCheck
        size={16}
        color="var(--mantine-color-teal-6)"
        aria-hidden="true"
        style={{ flex: 'none', marginTop: 1 }}
      />
      <Text size="xs" component="div">
        {muxed_id === null ? (
          kind === 'contract' ? (
            'Valid contract address: the contract of the asset pays it'
          ) : (
            'Valid account address'
          )
        ) : (
          <>
            Valid muxed address: id <strong className="mono">{String(muxed_id)}</strong> of {kind}{' '}
            <Copyable value={account} what={kind} />
          </>
        )}
      </Text>
    </Group>
  );
}
