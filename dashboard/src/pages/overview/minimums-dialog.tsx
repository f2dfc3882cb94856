import { Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { assetsQuery } from '../../api/assets.ts';
import { api } from '../../api/client.ts';
import { stringifyExact } from '../../api/exact-json.ts';
import { depositMinimumsQuery } from '../../api/wallets.ts';
import { AmountFields } from '../../components/amount-fields.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { FormButtons } from '../../components/form-buttons.tsx';
import { distinctAssets, NATIVE } from '../../text/asset.ts';
import { type AmountOfAsset, amountsInBody, readAmounts, typedAmounts } from '../../text/typed-amounts.ts';

type Props = { walletId: string; minimums: AmountOfAsset[]; onClose: () => void };

/** Asks for the minimum of each asset of the wallet. */
export function MinimumsDialog({ walletId, minimums, onClose }: Props) {
  const assets = useQuery(assetsQuery(walletId));
  /** What the fields began with, while the page reads on. */
  const [shown] = useState(minimums);
  const [typed, setTyped] = useState(() => typedAmounts(shown));
  const [tried, setTried] = useState(false);
  const replace = useReplaceMinimums(walletId, shown, onClose);
  const held = assets.data?.items.filter(({ status }) => status !== 'failed') ?? [];
  // Those that have a minimum come first: no field moves when the others are read.
  const asked = distinctAssets([NATIVE, ...shown, ...held]);
  const { amounts, problems } = readAmounts(asked, typed);

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    setTried(true);
    if (Object.keys(problems).length === 0) replace.mutate(amounts);
  }

  return (
    <Dialog onClose={onClose} closeOnClickOutside={false} title="Deposit minimums">
      <form onSubmit={submit} noValidate>
        <Stack>
          <Text size="sm">
            A change holds for the deposits that are recorded after it. A deposit of the inbox that somebody
            assigns is announced, whatever its amount.
          </Text>
          <AmountFields
            assets={asked}
            label="Smallest deposit, in"
            description="Empty: every deposit of this asset is announced"
            typed={typed}
            problems={tried ? problems : {}}
            onType={(next) => {
              setTyped(next);
              replace.reset();
            }}
            isFirst
          />
          {assets.error && (
            <ErrorAlert error={assets.error}>
              Assets of the wallet that have no minimum yet cannot be shown.
            </ErrorAlert>
          )}
          {replace.error && <ErrorAlert error={replace.error} />}
          <FormButtons action="Save" pending={replace.isPending} onClose={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}

/** The list replaces the whole list, so nothing is sent if it is not `shown` any more: that would undo a change of others. */
function useReplaceMinimums(walletId: string, shown: AmountOfAsset[], onDone: () => void) {
  const client = useQueryClient();
  const { queryKey } = depositMinimumsQuery(walletId);
  return useMutation({
    mutationFn: async (amounts: AmountOfAsset[]) => {
      const now = await api('getDepositMinimums', { id: walletId });
      if (stringifyExact(now.items) !== stringifyExact(shown)) {
        client.setQueryData(queryKey, now);
        throw new Error(
          'The minimums have changed in the meantime, so nothing was done. Cancel, and look at them before you change them.',
        );
      }
      return api('replaceDepositMinimums', { id: walletId, body: { items: amountsInBody(amounts) } });
    },
    onSuccess: async (replaced) => {
      await client.cancelQueries({ queryKey });
      client.setQueryData(queryKey, replaced);
      onDone();
    },
  });
}
