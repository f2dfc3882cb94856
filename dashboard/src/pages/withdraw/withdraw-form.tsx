import { Alert, Button, Grid, Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import { type SubmitEvent, useEffect, useState } from 'react';
import type { ApiError } from '../../api/client.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { KEEP_FOCUS_ON_PRESS } from '../../components/keep-focus.ts';
import { readableMessage } from '../../text/api-message.ts';
import { type AssetFields, parseAssetText, unitOf } from '../../text/asset.ts';
import { formatStroops, formatUnits } from '../../text/money.ts';
import { REFERENCE_WORDS } from '../../text/reference.ts';
import { isSecretSeed } from '../../text/strkey.ts';
import { isFrozen } from '../policies/target.ts';
import { usePolicy } from '../policies/use-policy.ts';
import { AssetField, MaxAmount } from './asset-field.tsx';
import { DestinationField } from './destination-field.tsx';
import { DestroyTick } from './destroy-tick.tsx';
import { isImpossible } from './impossible.ts';
import { PROBLEMS_ID, Preview } from './preview.tsx';
import { problemWords } from './problem-words.ts';
import { refusalMeaning } from './refusals.ts';
import { Review } from './review.tsx';
import { usePreview } from './use-preview.ts';
import {
  type ParsedInput,
  parseInput,
  type WithdrawalInput,
  type WithdrawalRequest,
} from './withdrawal-input.ts';

type Props = {
  walletId: string;
  typed: WithdrawalInput;
  /** Why the last request was refused. */
  refusal: ApiError | null;
  /** An earlier request may be paid, whatever the refusal says. */
  lost: boolean;
  onType: (typed: WithdrawalInput) => void;
  onPay: (request: WithdrawalRequest) => void;
};

export function WithdrawForm({ walletId, typed, refusal, lost, onType, onPay }: Props) {
  const [tried, setTried] = useState(false);
  const [reviewing, setReviewing] = useState(false);
  const read = parseInput(typed);
  const asset = parseAssetText(typed.asset ?? 'native');
  const preview = usePreview(walletId, read.request);
  const { data: policy } = usePolicy(walletId);
  const unsendable = read.request !== null && (!preview.data || isImpossible(preview.data));

  // The link that was followed is gone, and the form is what the member came for.
  useEffect(() => document.getElementById('destination')?.focus({ preventScroll: true }), []);

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    setTried(true);
    const wrong = FIELDS.find((field) => read.problems[field]);
    if (wrong) document.getElementById(wrong)?.focus();
    else setReviewing(true);
  }

  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 7 }}>
        <Paper withBorder p="lg">
          <form onSubmit={submit} noValidate aria-label="Withdrawal">
            <Stack>
              <Fields
                {...{ walletId, typed, read, tried, refusal, onType }}
                fee_max_stroops={preview.latest?.fee_max_stroops}
              />
              {refusal && <Refusal refusal={refusal} lost={lost} asset={asset} />}
              <Group justify="flex-end" {...KEEP_FOCUS_ON_PRESS}>
                <Button
                  type="submit"
                  {...(unsendable && preview.data ? { 'aria-describedby': PROBLEMS_ID } : {})}
                  disabled={unsendable || (policy !== undefined && isFrozen(policy))}
                >
                  Review
                </Button>
              </Group>
            </Stack>
          </form>
        </Paper>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 5 }}>
        <Preview walletId={walletId} asset={asset} request={read.request} preview={preview} />
      </Grid.Col>
      {reviewing && read.request && (
        <Review
          walletId={walletId}
          request={read.request}
          preview={preview.data ?? null}
          error={preview.error}
          onPay={onPay}
          onClose={() => setReviewing(false)}
        />
      )}
    </Grid>
  );
}

type RefusalProps = Pick<Props, 'lost'> & { refusal: ApiError; asset: AssetFields };

function Refusal({ refusal, lost, asset }: RefusalProps) {
  const meaning = refusalMeaning(refusal, lost);
  // The user has signed in again by now, so the API's message no longer helps.
  if (refusal.code === 'unauthenticated')
    return (
      <Alert color="yellow" variant="light" role="status">
        {meaning}
      </Alert>
    );
  return (
    <>
      <ErrorAlert error={refusal} words={problemWords(refusal, asset)} />
      <Text size="sm">{meaning}</Text>
    </>
  );
}

const FIELDS = ['destination', 'amount', 'memo_id', 'reference'] as const;
type Field = (typeof FIELDS)[number];

type FieldsProps = Pick<Props, 'walletId' | 'typed' | 'refusal' | 'onType'> & {
  read: ParsedInput;
  tried: boolean;
  fee_max_stroops: bigint | undefined;
};

/** A problem is shown on blur, or at once if more typing cannot solve it. */
function Fields({ walletId, typed, read, tried, refusal, fee_max_stroops, onType }: FieldsProps) {
  const [left, setLeft] = useState<{ [Name in Field]?: boolean }>({});
  const { address, stroops, memo_id, problems } = read;
  const asset = parseAssetText(typed.asset ?? 'native');
  const unit = unitOf(asset);

  function input(field: Field, atOnce: boolean) {
    const value = typed[field] ?? '';
    const shown = tried || atOnce || (left[field] && value !== '');
    const refused = refusal?.fieldMessage(field === 'amount' ? 'amount_stroops' : field);
    return {
      id: field,
      autoComplete: 'off',
      value,
      error: (shown && problems[field]) || (refused && readableMessage(`It ${refused}.`)),
      onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
        onType({ ...typed, [field]: currentTarget.value }),
      onBlur: () => setLeft({ ...left, [field]: true }),
    };
  }

  const destination = input(
    'destination',
    isSecretSeed(typed.destination) || typed.destination.trim().length >= 56,
  );
  return (
    <>
      <AssetField
        walletId={walletId}
        asset={typed.asset ?? 'native'}
        onChoose={(asset) => onType({ ...typed, asset, own_asset: undefined })}
      />
      <DestinationField
        typed={typed}
        address={address}
        memo_id={memo_id}
        error={destination.error}
        onType={(part) => onType({ ...typed, ...part })}
        onBlur={destination.onBlur}
      />
      <TextInput
        label="Amount"
        required
        inputMode="decimal"
        rightSection={<Text size="sm">{unit}</Text>}
        rightSectionWidth={unit.length * 9 + 24}
        inputContainer={(children) => (
          <>
            {children}
            {stroops !== null && (
              <Text size="xs" c="dimmed" mt={4} className="figures">
                {formatUnits(stroops)} {unit}, {formatStroops(stroops)}
              </Text>
            )}
          </>
        )}
        {...input('amount', false)}
      />
      <MaxAmount
        walletId={walletId}
        asset={typed.asset ?? 'native'}
        fee_max_stroops={fee_max_stroops}
        onChoose={(amount) => onType({ ...typed, amount })}
      />
      <DestroyTick
        asset={asset}
        address={address}
        ticked={typed.destroy_at}
        onTick={(destroy_at) => onType({ ...typed, destroy_at })}
      />
      <TextInput
        label="Memo id"
        description="Only if the recipient requires one, as exchanges do"
        inputMode="numeric"
        classNames={{ input: 'mono' }}
        {...input('memo_id', address?.muxed_id != null)}
      />
      <TextInput label="Reference" description={REFERENCE_WORDS} {...input('reference', false)} />
    </>
  );
}
