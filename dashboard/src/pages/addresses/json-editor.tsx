import { Button, Group, Input, Text } from '@mantine/core';
import { useId } from 'react';
import { stringifyExact } from '../../api/exact-json.ts';
import { checkJson, type Fault, MAX_BYTES } from './json-check.ts';
import classes from './json-editor.module.css';

/** The value of what was typed: nothing where nothing was typed; or why it cannot be sent. */
export function readJson(text: string): { value?: Record<string, unknown> } | { problem: string } {
  if (text.trim() === '') return {};
  const checked = checkJson(text);
  if ('fault' in checked) return { problem: sayFault(checked.fault) };
  const bytes = new TextEncoder().encode(stringifyExact(checked.value)).length;
  return bytes > MAX_BYTES ? { problem: 'This is more than 16 KiB.' } : { value: checked.value };
}

function sayFault({ line, message }: Fault): string {
  return `Line ${line}: ${message}`;
}

type Props = {
  label: string;
  description: string;
  value: string;
  onChange: (text: string) => void;
  /** What the API said of it. */
  error: string | null;
};

/** A field for a JSON object: numbered lines, the faulty one marked, and how much of the size is used. */
export function JsonEditor({ label, description, value, onChange, error }: Props) {
  const id = useId();
  const empty = value.trim() === '';
  const checked = empty ? null : checkJson(value);
  const fault = checked && 'fault' in checked ? checked.fault : null;
  const bytes = checked?.bytes ?? 0;
  const message = fault ? sayFault(fault) : error;
  const lines = value.split('\n').map((_text, index) => index + 1);

  function format() {
    if (checked && 'value' in checked) onChange(stringifyExact(checked.value, 2));
  }

  return (
    <Input.Wrapper
      id={id}
      label={label}
      description={description}
      error={message}
      errorProps={{ role: 'status' }}
    >
      <div className={classes.editor} data-faulty={message !== null || undefined}>
        <div className={classes.numbers} aria-hidden="true">
          {lines.map((line) => (
            <div key={line} data-faulty={line === fault?.line || undefined}>
              {line}
            </div>
          ))}
        </div>
        <textarea
          id={id}
          className={classes.text}
          rows={Math.max(5, lines.length)}
          wrap="off"
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          placeholder={'{\n  "customer": "42"\n}'}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          aria-invalid={message !== null}
          aria-describedby={message ? `${id}-error ${id}-description` : `${id}-description`}
        />
      </div>
      <Group justify="space-between" mt={6}>
        <Text size="xs" c={bytes > MAX_BYTES ? 'var(--mantine-color-error)' : 'dimmed'}>
          {new Intl.NumberFormat().format(bytes)} of {new Intl.NumberFormat().format(MAX_BYTES)} bytes
        </Text>
        <Button size="compact-xs" variant="default" onClick={format} disabled={empty || fault !== null}>
          Format
        </Button>
      </Group>
    </Input.Wrapper>
  );
}
