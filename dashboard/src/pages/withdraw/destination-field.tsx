import { Autocomplete, Box, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { useFindPayee, usePayees } from '../../api/payees.ts';
import { DecodedAddress } from '../../components/decoded-address.tsx';
import { PayeeName } from '../../components/payee-name.tsx';
import { assetName, assetText } from '../../text/asset.ts';
import { isolated } from '../../text/isolate.ts';
import type { Paid } from '../../text/payees.ts';
import type { StellarAddress } from '../../text/strkey.ts';
import { toDestination, toPayee } from './recipient.ts';
import type { WithdrawalInput } from './withdrawal-input.ts';

type Props = {
  typed: WithdrawalInput;
  address: StellarAddress | null;
  /** The memo of the form; null for none, and while it is not valid. */
  memo_id: bigint | null;
  error: string | false | null | undefined;
  onType: (part: Partial<WithdrawalInput>) => void;
  onBlur: () => void;
};

/** The destination: a payee that is chosen by its name, or an address. A name that is chosen is replaced by the address. */
export function DestinationField({ typed, address, memo_id, error, onType, onBlur }: Props) {
  const payees = usePayees();
  const [open, setOpen] = useState(false);
  const submitted = useRef<string | null>(null);
  const searched = typed.destination.trim().toLowerCase();
  // An address matches no name: a list without options would be read as open.
  const isFound = payees.some(({ name }) => name.toLowerCase().includes(searched));
  const before = useFindPayee()({ destination: typed.destination, memo_id });
  function choose(value: string) {
    const chosen = payees.find(({ name }) => name === value);
    if (!chosen) return;
    submitted.current = value;
    onType(toPayee(typed, chosen));
  }
  function change(value: string) {
    // The list writes the name of an option into the field after it was chosen.
    const is_option = submitted.current === value;
    submitted.current = null;
    if (is_option) return;
    const had_memo = before !== undefined && before.memo_id !== null && before.memo_id === memo_id;
    onType(toDestination(typed, value, had_memo));
  }
  return (
    <Autocomplete
      id="destination"
      label="Destination"
      description={`A ${payees.length > 0 ? 'payee by its name, or a ' : ''}Stellar account (G…), contract (C…), or muxed address of one (M…, W…)`}
      required
      autoComplete="off"
      spellCheck={false}
      classNames={{ input: 'mono' }}
      data={payees.map(({ name }) => name)}
      limit={8}
      openOnFocus={false}
      dropdownOpened={open && isFound}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      comboboxProps={{ keepMounted: false }}
      value={typed.destination}
      error={error}
      inputContainer={(children) => (
        <>
          {children}
          {address && (
            <Known
              paid={{ destination: typed.destination.trim(), memo_id }}
              asset={typed.asset ?? 'native'}
            />
          )}
          {address && <DecodedAddress address={address} />}
        </>
      )}
      onChange={change}
      onOptionSubmit={choose}
      onBlur={onBlur}
    />
  );
}

/** Whom of the payees the address pays, and what the payment has otherwise than the payee. */
function Known({ paid, asset }: { paid: Paid; asset: string }) {
  const find = useFindPayee();
  const payees = usePayees();
  const payee = find(paid);
  const others = payee ? [] : payees.filter(({ destination }) => destination === paid.destination);
  const other = others.length === 1 ? others[0] : undefined;
  return (
    <Box mt={6}>
      <PayeeName paid={paid} />
      {other && (
        <Text size="xs" c="var(--mantine-color-yellow-light-color)">
          {isolated(other.name)} is paid with memo {String(other.memo_id)}.
        </Text>
      )}
      {payee &&
        payee.asset_code !== null &&
        assetText({ ...payee, asset_code: payee.asset_code }) !== asset && (
          <Text size="xs" c="var(--mantine-color-yellow-light-color)">
            {isolated(payee.name)} is paid in {assetName({ ...payee, asset_code: payee.asset_code })} only.
          </Text>
        )}
    </Box>
  );
}
