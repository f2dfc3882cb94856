import { Alert, Badge, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { assetQuery, assetsQuery } from '../../api/assets.ts';
import type { AssetLimits, PendingPolicyChange, Policy } from '../../api/contract.ts';
import { Figures } from '../../components/amount.tsx';
import { Copyable } from '../../components/copy.tsx';
import { readableMessage } from '../../text/api-message.ts';
import { type AssetFields, assetText, distinctAssets, NATIVE, unitOf } from '../../text/asset.ts';
import { LimitDialog } from './limit-dialog.tsx';
import { nameOf } from './limits.ts';
import { Rule } from './rule.tsx';

/** A rule for each asset of the wallet, and for each other one that the policy names. */
export function LimitRules({ policy }: { policy: Policy }) {
  const { data } = useQuery(assetsQuery(policy.wallet_id));
  const named = policy.pending.flatMap(({ asset_code, asset_issuer }) =>
    asset_code === null ? [] : [{ asset_code, asset_issuer }],
  );
  const held = data?.items.filter(({ status }) => status !== 'failed') ?? [];
  const assets = distinctAssets([NATIVE, ...held, ...policy.limits, ...named]);
  return assets.map((asset) => (
    <LimitRule key={assetText(asset)} policy={policy} asset={asset} assets={assets} />
  ));
}

type Props = {
  policy: Policy;
  asset: AssetFields;
  /** Every asset that the page shows: the limits of one change what the others may do. */
  assets: AssetFields[];
};

function LimitRule({ policy, asset, assets }: Props) {
  const [dialog, setDialog] = useState<'set' | 'remove' | null>(null);
  const name = nameOf(asset);
  const entry = policy.limits.find((each) => assetText(each) === assetText(asset));
  const pending = policy.pending.filter((change) => isOf(change, asset));
  return (
    <Rule
      walletId={policy.wallet_id}
      title={`Limits of ${name}`}
      description={
        asset.asset_issuer === null ? (
          'The network’s own asset. Fees do not count.'
        ) : (
          <Issuer {...{ policy, asset }} />
        )
      }
      actions={
        <>
          {entry && (
            <Button
              variant="subtle"
              onClick={() => setDialog('remove')}
              aria-label={`Remove the limits of ${name}`}
            >
              Remove
            </Button>
          )}
          <Button
            variant="default"
            onClick={() => setDialog('set')}
            aria-label={`${entry ? 'Change' : 'Set'} the limits of ${name}`}
          >
            {entry ? 'Change' : 'Set the limits'}
          </Button>
        </>
      }
      pending={pending}
    >
      {entry ? <InForce entry={entry} /> : <Unlimited policy={policy} asset={asset} />}
      {dialog && (
        <LimitDialog
          {...{ policy, asset, assets }}
          remove={dialog === 'remove'}
          onClose={() => setDialog(null)}
        />
      )}
    </Rule>
  );
}

/** The end of all limits is shown with the native asset, which every wallet has. */
function isOf(change: PendingPolicyChange, asset: AssetFields): boolean {
  const { field, asset_code, asset_issuer } = change;
  if (field === 'frozen' || field === 'destinations' || field === 'approvals') return false;
  return assetText(asset_code === null ? NATIVE : { asset_code, asset_issuer }) === assetText(asset);
}

function Issuer({ policy, asset }: Omit<Props, 'assets'>) {
  const { asset_code, asset_issuer } = asset;
  const { data } = useQuery(assetQuery(policy.wallet_id, assetText(asset)));
  return (
    <Stack gap={6}>
      <Group gap="xs">
        <span>
          Issued by <Copyable value={asset_issuer ?? ''} what={`issuer of ${asset_code}`} />
        </span>
        {data?.verified && <Badge color="teal">known</Badge>}
      </Group>
      {data?.warning && (
        <Alert color="orange" variant="light" icon={<IconAlertTriangle />} title="Looks like another asset">
          <span style={{ overflowWrap: 'anywhere' }}>{readableMessage(data.warning)}</span>
        </Alert>
      )}
    </Stack>
  );
}

function Unlimited({ policy, asset }: Omit<Props, 'assets'>) {
  if (policy.other_assets_allowed) return <Text fw={600}>No limit</Text>;
  const others = policy.limits.length === 0 ? 'the policy allows no asset now' : 'other assets have limits';
  return (
    <Text fw={600}>
      Refused: {unitOf(asset)} has no limit, and {others}
    </Text>
  );
}

function InForce({ entry }: { entry: AssetLimits }) {
  const { max_withdrawal_stroops, max_rolling_24h_stroops, used_rolling_24h_stroops } = entry;
  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="xs">
        <Text>Maximum per withdrawal</Text>
        <Limit limit={max_withdrawal_stroops} asset={entry} />
      </Group>
      <Group justify="space-between" gap="xs">
        <Text>Maximum in 24 hours</Text>
        <Limit limit={max_rolling_24h_stroops} asset={entry} />
      </Group>
      <Used used={used_rolling_24h_stroops} limit={max_rolling_24h_stroops} asset={entry} />
    </Stack>
  );
}

function Limit({ limit, asset }: { limit: bigint | null; asset: AssetFields }) {
  return <Text fw={600}>{limit === null ? 'No limit' : <Figures stroops={limit} asset={asset} />}</Text>;
}

function Used({ used, limit, asset }: { used: bigint; limit: bigint | null; asset: AssetFields }) {
  const left = limit === null || used >= limit ? 0n : limit - used;
  return (
    <div>
      {limit !== null && (
        <Progress
          value={Math.min(100, Number((used * 1000n) / limit) / 10)}
          color={left === 0n ? 'red' : 'indigo'}
          mb={6}
          aria-label={`Part of the limit of ${unitOf(asset)} that is used`}
        />
      )}
      <Text size="sm" c="dimmed">
        <Figures stroops={used} asset={asset} /> paid in the last 24 hours
        {limit !== null && (
          <>
            , <Figures stroops={left} asset={asset} /> left
          </>
        )}
      </Text>
    </div>
  );
}
