import { Alert, Button, Checkbox, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { Page } from '../../components/page.tsx';
import { Permitted } from '../../components/permitted.tsx';
import { ColumnsStep, hasWrongColumns } from './columns-step.tsx';
import { DecimalMarkQuestion, isMarkUnknown } from './decimal-mark.tsx';
import { FileField, useFileDrop } from './file-drop.tsx';
import { QUESTIONS } from './questions.ts';
import { Report } from './report.tsx';
import { COLUMNS } from './template.ts';
import { useNewPayout } from './use-new-payout.ts';

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

function Form() {
  const { walletId } = useParams({ from: '/signed-in/wallets/$walletId/payouts/new' });
  const payout = useNewPayout(walletId);
  const [fileError, setFileError] = useState<string | null>(null);
  async function read(file: File) {
    const text = await textOf(file);
    payout.change(text ?? '');
    setFileError(text === null ? 'The file is not UTF-8: save it as "CSV UTF-8".' : null);
    if (text !== null && payout.name === '') payout.rename(file.name.replace(/\.[a-z]+$/i, '').slice(0, 100));
  }
  const drop = useFileDrop({
    onFile: (file) => void read(file),
    onSeveral: () => {
      payout.change('');
      setFileError('Drop one file: each file is a payout.');
    },
  });
  return (
    <Stack maw={820} gap="md" {...drop.handlers}>
      <TextInput
        label="Name"
        value={payout.name}
        maxLength={100}
        onChange={(event) => payout.rename(event.currentTarget.value)}
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
        value={payout.reading.csv}
        onChange={(event) => {
          payout.change(event.currentTarget.value);
          setFileError(null);
        }}
      />
      <Group>
        <Button
          variant="default"
          loading={payout.check.isPending}
          disabled={payout.reading.csv.trim() === ''}
          onClick={payout.checkNow}
        >
          Check the file
        </Button>
      </Group>
      {payout.check.error && <ErrorAlert error={payout.check.error} />}
      <Found payout={payout} />
    </Stack>
  );
}

type FoundProps = { payout: ReturnType<typeof useNewPayout> };

/** What the check has found and asks, and the draft once nothing is wrong. */
function Found({ payout }: FoundProps) {
  const { reading, answer, chooseColumns, make, questions, meant, is_meant, mean } = payout;
  const report = payout.check.data?.report;
  const asks_mark = reading.decimal !== undefined || isMarkUnknown(report);
  const is_new_header = hasWrongColumns(report) && !reading.columns;
  const is_named = payout.name.trim() !== '';
  return (
    <>
      {report && (is_new_header || reading.columns) && (
        <ColumnsStep columns={report.columns} given={reading.columns} onChosen={chooseColumns} />
      )}
      {asks_mark && <DecimalMarkQuestion value={reading.decimal ?? null} onChange={answer} />}
      {report && !is_new_header && <Report report={report} />}
      {report?.error_count === 0 &&
        questions.map((question) => (
          <Checkbox
            key={question}
            label={QUESTIONS[question]}
            checked={meant.has(question)}
            onChange={({ currentTarget }) => mean(question, currentTarget.checked)}
          />
        ))}
      {make.error && <ErrorAlert error={make.error} />}
      {report?.error_count === 0 && (
        <Stack gap="xs">
          {!is_named && (
            <Alert color="gray" variant="light">
              <Text size="sm">Give the payout a name.</Text>
            </Alert>
          )}
          <Group>
            <Button loading={make.isPending} disabled={!is_named || !is_meant} onClick={payout.keep}>
              Keep as draft
            </Button>
          </Group>
        </Stack>
      )}
    </>
  );
}
