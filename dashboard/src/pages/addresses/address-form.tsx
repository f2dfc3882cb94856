import { Stack, Text, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { ApiError } from '../../api/client.ts';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { FormButtons } from '../../components/form-buttons.tsx';
import { JsonEditor, readJson } from './json-editor.tsx';

/** `metadata`: undefined when the field is empty. `metadata_typed`: somebody changed the text. */
export type TypedAddress = {
  label: string;
  metadata: Record<string, unknown> | undefined;
  metadata_typed: boolean;
};

type Props = {
  title: string;
  action: string;
  /** What the fields begin with. */
  label?: string;
  metadata?: string;
  note?: string;
  sending: { error: Error | null; isPending: boolean; reset: () => void };
  onSubmit: (typed: TypedAddress) => void;
  onClose: () => void;
};

/** Asks for the label and metadata of a deposit address. */
export function AddressForm({ title, action, sending, onSubmit, onClose, ...given }: Props) {
  const [label, setLabel] = useState(given.label ?? '');
  const [metadata, setMetadata] = useState(given.metadata ?? '');
  const read = readJson(metadata);
  const problem = 'problem' in read ? read.problem : null;
  const { error } = sending;
  const of = (field: string) => (error instanceof ApiError ? error.fieldMessage(field) : null);

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if ('problem' in read) return document.getElementById('metadata')?.focus();
    const metadata_typed = metadata !== (given.metadata ?? '');
    onSubmit({ label: label.trim(), metadata: read.value, metadata_typed });
  }

  return (
    <Dialog onClose={onClose} closeOnClickOutside={false} title={title} size="lg">
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label="Label"
            description="For your reference, such as the customer’s name"
            maxLength={200}
            autoComplete="off"
            data-autofocus
            value={label}
            onChange={(event) => setLabel(event.currentTarget.value)}
            error={of('label')}
          />
          <JsonEditor
            id="metadata"
            label="Metadata"
            description="Your own JSON object. Every deposit to this address carries it. Numbers stay exact."
            value={metadata}
            onChange={(text) => {
              setMetadata(text);
              sending.reset();
            }}
            problem={problem ?? of('metadata')}
          />
          {given.note && (
            <Text size="sm" c="dimmed">
              {given.note}
            </Text>
          )}
          {error && !of('label') && !of('metadata') && <ErrorAlert error={error} />}
          <FormButtons action={action} pending={sending.isPending} onClose={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
