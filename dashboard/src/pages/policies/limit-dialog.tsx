import { Group, Stack, Text, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import type { Policy } from '../../api/contract.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { FormButtons } from '../../components/form-buttons.tsx';
import { type AssetFields, assetText, unitOf } from '../../text/asset.ts';
import { editableUnits } from '../../text/money.ts';
import { EffectNotice } from './effect-notice.tsx';
import {
  changeOfLimits,
  FIELD_WORDS,
  LIMIT_FIELDS,
  type Limits,
  limitOf,
  limitsInForce,
  nameOf,
  withEntry,
} from './limits.ts';
import { readLimits, type TypedLimits } from './read-limits.ts';
import { needsApprovals, requestedLimits, targetOf } from './target.ts';
import { useChangePolicy } from './use-policy.ts';

type Props = {
  policy: Policy;
  asset: AssetFields;
  /** Every asset that the page shows. */
  assets: AssetFields[];
  onClose: () => void;
};

export function LimitDialog({ remove, ...props }: Props & { remove: boolean }) {
  return remove ? <RemoveLimits {...props} /> : <SetLimits {...props} />;
}

function RemoveLimits({ policy, asset, assets, onClose }: Props) {
  const change = useChangePolicy(policy, onClose);
  const none = { ...asset, max_withdrawal_stroops: null, max_rolling_24h_stroops: null };
  const wanted = withEntry(requestedLimits(policy), none);
  return (
    <ConfirmDialog
      title={`Remove the limits of ${nameOf(asset)}?`}
      action="Remove the limits"
      danger={wanted !== null}
      pending={change.isPending}
      error={change.error}
      onConfirm={() => change.mutate({ limits: wanted })}
      onClose={onClose}
    >
      <Effects policy={policy} wanted={wanted} assets={assets} />
    </ConfirmDialog>
  );
}

/**
 * The first limit of a wallet refuses its other assets at once. So their limits are asked for too: set together, they apply
 * together.
 */
function SetLimits({ policy, asset, assets, onClose }: Props) {
  const in_force = limitsInForce(policy);
  const others = in_force === null ? assets.filter((each) => each !== asset) : [];
  const [typed, setTyped] = useState(() => typedOf(limitOf(in_force, asset)));
  const [typedOthers, setTypedOthers] = useState<Record<string, TypedLimits>>({});
  const [tried, setTried] = useState(false);
  const change = useChangePolicy(policy, onClose);
  const read = readLimits(asset, typed);
  const readOthers = others.map((each) => readLimits(each, typedOthers[assetText(each)] ?? EMPTY));
  const entries = [read, ...readOthers].map(({ entry }) => entry);
  const isEmpty = read.entry !== null && LIMIT_FIELDS.every((field) => read.entry?.[field] === null);
  const wanted = entries.every((entry) => entry !== null)
    ? entries.reduce(withEntry, requestedLimits(policy))
    : undefined;

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    setTried(true);
    if (wanted !== undefined && !isEmpty) change.mutate({ limits: wanted });
  }

  return (
    <Dialog onClose={onClose} title={`Limits of ${nameOf(asset)}`}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <Fields
            asset={asset}
            typed={typed}
            onType={(next) => {
              setTyped(next);
              change.reset();
            }}
            problems={tried ? read.problems : {}}
            autoFocus
          />
          {tried && isEmpty && (
            <Text size="sm" c="red" role="alert">
              At least one of the two limits is required.
            </Text>
          )}
          {others.length > 0 && (
            <Text size="sm">
              An asset without a limit is refused as soon as another asset has one. Give the others their
              limits now: later they have to wait.
            </Text>
          )}
          {others.map((each, index) => (
            <Fields
              key={assetText(each)}
              asset={each}
              legend={nameOf(each)}
              typed={typedOthers[assetText(each)] ?? EMPTY}
              onType={(next) => {
                setTypedOthers({ ...typedOthers, [assetText(each)]: next });
                change.reset();
              }}
              problems={tried ? (readOthers[index]?.problems ?? {}) : {}}
            />
          ))}
          {wanted !== undefined && !isEmpty && <Effects policy={policy} wanted={wanted} assets={assets} />}
          {change.error && <ErrorAlert error={change.error} />}
          <FormButtons action="Set the limits" pending={change.isPending} onClose={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}

const EMPTY: TypedLimits = { max_withdrawal_stroops: '', max_rolling_24h_stroops: '' };

function typedOf(entry: ReturnType<typeof limitOf>): TypedLimits {
  const [max_withdrawal_stroops, max_rolling_24h_stroops] = LIMIT_FIELDS.map((field) => {
    const limit = entry?.[field] ?? null;
    return limit === null ? '' : editableUnits(limit);
  }) as [string, string];
  return { max_withdrawal_stroops, max_rolling_24h_stroops };
}

type FieldsProps = {
  asset: AssetFields;
  legend?: string;
  typed: TypedLimits;
  onType: (typed: TypedLimits) => void;
  problems: Partial<Record<keyof TypedLimits, string>>;
  autoFocus?: boolean;
};

function Fields({ asset, legend, typed, onType, problems, autoFocus = false }: FieldsProps) {
  return (
    <Stack gap="xs" component="fieldset" p={0} m={0} style={{ border: 0, minWidth: 0 }}>
      {legend !== undefined && (
        <Text component="legend" fw={600} p={0}>
          {legend}
        </Text>
      )}
      <Group grow align="flex-start">
        {LIMIT_FIELDS.map((field, index) => (
          <TextInput
            key={field}
            label={`Maximum ${FIELD_WORDS[field]}`}
            placeholder="No limit"
            data-autofocus={autoFocus && index === 0 ? true : undefined}
            inputMode="decimal"
            autoComplete="off"
            rightSection={<Text size="sm">{unitOf(asset)}</Text>}
            rightSectionWidth={Math.max(52, 12 + 10 * unitOf(asset).length)}
            value={typed[field]}
            onChange={({ currentTarget }) => onType({ ...typed, [field]: currentTarget.value })}
            error={problems[field] !== undefined && `The limit ${problems[field]}.`}
          />
        ))}
      </Group>
    </Stack>
  );
}

/** What the change does to each asset, at once and after the delay. */
function Effects({ policy, wanted, assets }: { policy: Policy; wanted: Limits; assets: AssetFields[] }) {
  const { effects, cancelled } = changeOfLimits(policy, targetOf(policy).limits, wanted, assets);
  const say = (when: 'at_once' | 'later') =>
    effects.filter(({ effect }) => effect === when).map(({ words }) => words);
  const [at_once, later] = [say('at_once'), say('later')];
  const isFirst = wanted !== null && policy.other_assets_allowed;
  if (isFirst) at_once.push('Every other asset: withdrawals are refused.');
  return (
    <Stack gap="xs">
      {at_once.length > 0 && (
        <EffectNotice effect="at_once" delay_seconds={policy.delay_seconds}>
          {at_once.join('\n')}
        </EffectNotice>
      )}
      {later.length > 0 && (
        <EffectNotice
          effect="later"
          delay_seconds={policy.delay_seconds}
          needs_approvals={needsApprovals(policy, 'other')}
        >
          {later.join('\n')}
        </EffectNotice>
      )}
      {cancelled.length > 0 && (
        <Text size="sm">
          Pending changes that are cancelled: {cancelled.map(({ words }) => words).join(' ')}
        </Text>
      )}
      {effects.length + cancelled.length === 0 && (
        <Text size="sm" c="dimmed">
          These limits are already in force{policy.pending.length > 0 && ' or pending'}.
        </Text>
      )}
    </Stack>
  );
}
