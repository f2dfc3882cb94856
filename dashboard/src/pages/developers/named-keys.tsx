import { Badge, Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { NamedApiKey } from '../../api/contract.ts';
import { useMay } from '../../api/me.ts';
import { namedKeysQuery } from '../../api/wallets.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { DateTime, RelativeTime } from '../../components/date-time.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { LoadedList, NamedItem } from '../../components/lined-list.tsx';
import { addressesInWords } from '../../text/addresses.ts';
import { isolated } from '../../text/isolate.ts';
import { scopesInWords } from '../../text/scopes.ts';
import { MadeEndpoints } from './made-endpoints.tsx';
import { NewKeyDialog } from './new-key-dialog.tsx';
import { Section } from './section.tsx';

/** The API keys of a wallet beside its main key. */
export function NamedKeys({ walletId }: { walletId: string }) {
  const query = useQuery(namedKeysQuery(walletId));
  const [adding, add] = useDisclosure();
  const [chosen, setChosen] = useState<NamedApiKey | null>(null);
  const may = useMay();
  return (
    <Section
      title="Named API keys"
      description="A key for each program, with only the rights that it needs. To replace a key without a gap, make the new one first and delete the old one when nothing uses it any more. No key can withdraw."
      actions={
        may('createApiKey') && (
          <Button leftSection={<IconPlus size={16} />} onClick={add.open}>
            New key
          </Button>
        )
      }
    >
      <LoadedList
        query={query}
        empty={
          <EmptyState icon={IconKey} title="No named keys yet">
            The main key has every right that a key can have.
          </EmptyState>
        }
      >
        {(key) => <KeyRow api_key={key} onDelete={may('deleteApiKey') ? setChosen : null} />}
      </LoadedList>
      {adding && <NewKeyDialog walletId={walletId} onClose={add.close} />}
      {chosen && <DeleteKey walletId={walletId} api_key={chosen} onClose={() => setChosen(null)} />}
    </Section>
  );
}

type RowProps = { api_key: NamedApiKey; onDelete: ((key: NamedApiKey) => void) | null };

function KeyRow({ api_key, onDelete }: RowProps) {
  const { name, prefix, last_four, scopes, allowed_ips, expires_at, created_by, last_used_at } = api_key;
  const is_expired = expires_at !== null && Date.parse(expires_at) <= Date.now();
  return (
    <NamedItem
      name={name}
      badge={is_expired && <Badge color="red">expired</Badge>}
      actions={
        onDelete && (
          <Button
            size="xs"
            variant="default"
            onClick={() => onDelete(api_key)}
            aria-label={`Delete the key ${name}`}
          >
            Delete
          </Button>
        )
      }
    >
      <Text size="sm" className="mono" style={{ overflowWrap: 'anywhere' }}>
        {prefix}…{last_four}
      </Text>
      <Text size="sm">
        {scopesInWords(scopes)} · from {addressesInWords(allowed_ips)}
      </Text>
      <Text size="sm" c="dimmed">
        Created by {isolated(created_by.name)} · last used{' '}
        {last_used_at === null ? 'never' : <RelativeTime at={last_used_at} />} ·{' '}
        {expires_at === null ? (
          'does not expire'
        ) : (
          <>
            {is_expired ? 'expired' : 'expires'} <DateTime at={expires_at} />
          </>
        )}
      </Text>
    </NamedItem>
  );
}

type DeleteProps = { walletId: string; api_key: NamedApiKey; onClose: () => void };

function DeleteKey({ walletId, api_key: { id, name, last_four }, onClose }: DeleteProps) {
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => api('deleteApiKey', { id: walletId, key_id: id }),
    onSettled: () => client.invalidateQueries({ queryKey: namedKeysQuery(walletId).queryKey }),
    onSuccess: ({ endpoints }) => endpoints.length === 0 && onClose(),
  });
  if (remove.data)
    return (
      <MadeEndpoints
        endpoints={remove.data.endpoints}
        what={`The deleted key ${isolated(name)}`}
        onClose={onClose}
      />
    );
  return (
    <ConfirmDialog
      title={`Delete the key ${isolated(name)}?`}
      action="Delete"
      danger
      pending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      The key (…{last_four}) <strong>stops working at once</strong>: requests that still use it get 401. This
      cannot be undone. Endpoints that it has registered go on; they are listed afterwards.
    </ConfirmDialog>
  );
}
