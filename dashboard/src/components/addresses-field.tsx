import { Textarea } from '@mantine/core';

type Props = {
  /** The text as it is typed. */
  value: string;
  error: string | null;
  onChange: (text: string) => void;
};

/** The addresses that a credential may be used from, one in each line. */
export function AddressesField({ value, error, onChange }: Props) {
  return (
    <Textarea
      label="Addresses"
      description="IP addresses or CIDR blocks that it may be used from, one in each line, like 203.0.113.0/24. Empty: every address."
      autosize
      minRows={2}
      maxRows={6}
      spellCheck={false}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
    />
  );
}
