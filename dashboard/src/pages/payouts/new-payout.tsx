import { Alert, Button, Checkbox, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { Payout, PayoutReport } from '../../api/contract.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { Page } from '../../components/page.tsx';
import { Permitted } from '../../components/permitted.tsx';
import { type DecimalMark, DecimalMarkQuestion, isMarkUnknown } from './decimal-mark.tsx';
import { FileField, useFileDrop } from './file-drop.tsx';
import { Report } from './report.tsx';
import { COLUMNS } from './template.ts';

/** A file becomes a draft, once it was checked. Nothing is paid here. */
export function NewPayout() {
  return (
    <Page
      title="New payout"
      description="The file is checked whole before anything is kept. Nothing is paid before you start the payout."
    >
      <Permitted operation="createPayout" what="make payouts">
        <Form />
      </Permitted>
    </Page>
  );
}

/** Null when it is not UTF-8: `File.text` would put other characters into names without a word. */
async function textOf(file: File): Promise<string | null> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    return null;
  }
}

/** What a check and the draft after it are about: both must read the same. */
type CheckedFile = { csv: string; decimal?: DecimalMark };

function Form() {
  const { walletId } = useParams({ from: '/signed-in/wallets/$walletId/payouts/new' });
  const navigate = useNavigate();
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [csv, setCsv] = useState('');
  const [decimal, setDecimal] = useState<DecimalMark | null>(null);
  const [meant, setMeant] = useState(false);
  const [fileError, setFileError] = useState<string | null>(null);
  const check = useMutation({
    mutationFn: (file: CheckedFile) =>
      api('createPayout', {
        id: walletId,
        query: { preview: true },
        body: file,
      }) as Promise<PayoutReport>,
  });
  const file: CheckedFile = { csv, ...(decimal !== null && { decimal }) };
  const make = useMutation({
    mutationFn: async () => {
      const body = { ...file, name: name.trim(), confirm_duplicates: meant };
      return (await api('createPayout', { id: walletId, body })) as Payout; // without preview
    },
    onSuccess: async ({ id }) => {
      await client.invalidateQueries({ queryKey: ['wallet', walletId, 'payouts'] });
      await navigate({ to: '/wallets/$walletId/payouts/$payoutId', params: { walletId, payoutId: id } });
    },
  });
  function change(text: string) {
    setCsv(text);
    setDecimal(null);
    setMeant(false);
    setFileError(null);
    check.reset();
    make.reset();
  }
  function answer(mark: DecimalMark) {
    setDecimal(mark);
    setMeant(false);
    make.reset();
    check.mutate({ csv, decimal: mark });
  }
  async function read(file: File) {
    const text = await textOf(file);
    change(text ?? '');
    if (text === null) {
      setFileError('The file is not UTF-8: save it as "CSV UTF-8".');
      return;
    }
    if (name === '') setName(file.name.replace(/\.csv$/i, '').slice(0, 100));
  }
  const drop = useFileDrop({
    onFile: (file) => void read(file),
    onSeveral: () => {
      change('');
      setFileError('Drop one file: each file is a payout.');
    },
  });
  const report = check.data;
  const can_make = report?.error_count === 0 && (!report.needs_confirmation || meant) && name.trim() !== '';
  return (
    <Stack maw={820} gap="md" {...drop.handlers}>
      <TextInput
        label="Name"
        value={name}
        maxLength={100}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <FileField over={drop.over} error={fileError} onFile={(chosen) => void read(chosen)} />
      <Textarea
        label="Or paste the rows"
        description={`The header: ${COLUMNS.join(',')}`}
        styles={{
          input: { fontFamily: 'var(--mantine-font-family-monospace)' },
          description: { overflowWrap: 'anywhere' },
        }}
        minRows={6}
        maxRows={14}
        autosize
        spellCheck={false}
        value={csv}
        onChange={(event) => change(event.currentTarget.value)}
      />
      <Group>
        <Button
          variant="default"
          loading={check.isPending}
          disabled={csv.trim() === ''}
          onClick={() => check.mutate(file)}
        >
          Check the file
        </Button>
      </Group>
      {check.error && <ErrorAlert error={check.error} />}
      {(decimal !== null || isMarkUnknown(report)) && (
        <DecimalMarkQuestion value={decimal} onChange={answer} />
      )}
      {report && <Report report={report} />}
      {report?.error_count === 0 && report.needs_confirmation && (
        <Checkbox
          label="The same payment more than once is meant"
          checked={meant}
          onChange={(event) => setMeant(event.currentTarget.checked)}
        />
      )}
      {make.error && <ErrorAlert error={make.error} />}
      {report?.error_count === 0 && (
        <Stack gap="xs">
          {name.trim() === '' && (
            <Alert color="gray" variant="light">
              <Text size="sm">Give the payout a name.</Text>
            </Alert>
          )}
          <Group>
            <Button loading={make.isPending} disabled={!can_make} onClick={() => make.mutate()}>
              Keep as draft
            </Button>
          </Group>
        </Stack>
      )}
    </Stack>
  );
}
