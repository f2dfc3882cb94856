import { Button, Group, Modal, Progress, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { QueryOf } from '../../api/operations.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { formatInteger } from '../../text/money.ts';
import { useExport } from './use-csv-export.ts';

/** Saves all pages of the list for a spreadsheet. */
export function Export({ walletId, query }: { walletId: string; query: QueryOf<'listTransactions'> }) {
  const { state, rows, error, start, goOn, close } = useExport();
  const reading = state === 'reading';
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconDownload size={16} />}
        onClick={() => start({ walletId, query })}
      >
        Export CSV
      </Button>
      <Modal opened={state !== 'idle'} onClose={close} title="Export to CSV" closeOnClickOutside={!reading}>
        <Stack>
          <Text size="sm" role="status">
            {reading
              ? `${countWords(rows)} read so far, newest first …`
              : `${countWords(rows)} ${state === 'saved' ? 'saved to the file' : 'read before it stopped'}.`}
          </Text>
          {reading && <Progress value={100} animated aria-label="Reading transactions" />}
          {error && <ErrorAlert error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close} data-autofocus>
              {state === 'saved' ? 'Close' : 'Cancel'}
            </Button>
            {state === 'stopped' && <Button onClick={goOn}>Continue</Button>}
          </Group>
        </Stack>
      </Modal>
    </>
  );
}

function countWords(rows: number): string {
  return `${formatInteger(rows)} ${rows === 1 ? 'transaction' : 'transactions'}`;
}
