import { Box, FileInput, Group, Stack, Text } from '@mantine/core';
import { type DragEvent, type ReactNode, useState } from 'react';
import { SaveButton } from '../../components/save-button.tsx';
import { templateCsv } from './template.ts';

type DropProps = { onFile: (file: File) => void; onSeveral: () => void };

/**
 * Takes a file that is dropped anywhere on the form. Beside a target the browser would leave the page, to show the file. What is no
 * file, such as a selected text, is dropped as ever.
 */
export function useFileDrop({ onFile, onSeveral }: DropProps) {
  const [over, setOver] = useState(false);
  const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files');
  const handlers = {
    onDragOver: (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: ({ currentTarget, relatedTarget }: DragEvent) => {
      if (!currentTarget.contains(relatedTarget as Node | null)) setOver(false);
    },
    onDrop: (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(false);
      const [file, ...others] = event.dataTransfer.files;
      if (others.length > 0) onSeveral();
      else if (file) onFile(file);
    },
  };
  return { over, handlers };
}

type Props = { over: boolean; error: ReactNode; onFile: (file: File) => void };

/** Where a file is dropped, or chosen: the field is the same for a mouse, a keyboard and a screen reader. */
export function FileField({ over, error, onFile }: Props) {
  return (
    <Box
      p="md"
      bd={`1px dashed ${over ? 'var(--mantine-primary-color-filled)' : 'var(--mantine-color-default-border)'}`}
      bg={over ? 'var(--mantine-primary-color-light)' : 'transparent'}
      bdrs="sm"
    >
      <Stack gap="xs">
        <FileInput
          label="CSV file"
          description="In UTF-8, with a header. Drop it here, or choose it."
          placeholder="Choose a file"
          accept=".csv,.tsv,.txt,text/csv"
          error={error}
          // Otherwise the browser does not tell of the same file once it was mended.
          fileInputProps={{
            onClick: ({ currentTarget }) => {
              currentTarget.value = '';
            },
          }}
          onChange={(file) => file && onFile(file)}
        />
        <Group gap="xs">
          <SaveButton
            name="payout-template.csv"
            variant="subtle"
            size="compact-sm"
            read={() => new Blob([templateCsv()], { type: 'text/csv;charset=utf-8' })}
          >
            Download a template
          </SaveButton>
          <Text size="sm" c="dimmed">
            for Excel and other spreadsheets
          </Text>
        </Group>
      </Stack>
    </Box>
  );
}
