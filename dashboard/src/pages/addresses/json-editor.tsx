import { Button, Group, Input, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { stringifyExact } from '../../api/exact-json.ts';
import { formatInteger } from '../../text/money.ts';
import { checkJson, MAX_BYTES } from './json-check.ts';
import classes from './json-editor.module.css';

/** The value of the typed JSON, undefined if empty; or why it cannot be sent. */
export function readJson(text: string): { value?: Record<string, unknown> } | { problem: string } {
  if (text.trim() === '') return {};
  const checked = checkJson(text);
  if ('fault' in checked) {
    const { line, column, message } = checked.fault;
    return { problem: `Line ${line}, column ${column}: ${message}` };
  }
  const too_big = byteLength(stringifyExact(checked.value)) > MAX_BYTES;
  return too_big ? { problem: 'This is more than 16 KiB.' } : { value: checked.value };
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

const TYPING_MS = 500;

type Props = {
  id: string;
  label: string;
  description: string;
  value: string;
  onChange: (text: string) => void;
  /** Why it cannot be sent. */
  problem: string | null;
};

/** A field for a JSON object with line numbers, a mark at the faulty line, and the used size. */
export function JsonEditor({ id, label, description, value, onChange, ...given }: Props) {
  const [debounced] = useDebouncedValue(value, TYPING_MS);
  // Text that is still being typed is often invalid: no error before a pause.
  const problem = debounced === value ? given.problem : null;
  const checked = value.trim() === '' ? null : checkJson(value);
  const sent = checked && 'value' in checked ? checked.value : null;
  const faulty_line = checked && 'fault' in checked ? checked.fault.line : null;
  const bytes = sent ? byteLength(stringifyExact(sent)) : byteLength(value.trim());
  const lines = value.split('\n').map((_text, index) => index + 1);

  return (
    <div>
      <Input.Wrapper
        id={id}
        label={label}
        description={description}
        error={problem}
        errorProps={{ role: 'status' }}
      >
        <div className={classes.editor} data-faulty={problem !== null || undefined}>
          <div className={classes.numbers} aria-hidden="true">
            {lines.map((line) => (
              <div key={line} data-faulty={(problem !== null && line === faulty_line) || undefined}>
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
            aria-invalid={problem !== null}
            aria-describedby={problem ? `${id}-error ${id}-description` : `${id}-description`}
          />
        </div>
      </Input.Wrapper>
      <Group justify="space-between" mt={6}>
        <Text size="xs" c={bytes > MAX_BYTES ? 'var(--mantine-color-error)' : 'dimmed'}>
          {formatInteger(bytes)} of {formatInteger(MAX_BYTES)} bytes
        </Text>
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => sent && onChange(stringifyExact(sent, 2))}
          disabled={!sent}
        >
          Format
        </Button>
      </Group>
    </div>
  );
}
