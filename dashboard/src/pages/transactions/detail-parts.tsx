/** Parts that the pages of a deposit and of a withdrawal share. */
import { Anchor, Grid, Group, Paper, Text, Title } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Withdrawal } from '../../api/contract.ts';
import { serviceQuery } from '../../api/service.ts';
import { Amount } from '../../components/amount.tsx';
import { Copyable } from '../../components/copy.tsx';
import { Details } from '../../components/details.tsx';
import { type AssetFields, NATIVE } from '../../text/asset.ts';
import { formatStroops } from '../../text/money.ts';
import { readAddress } from '../../text/strkey.ts';
import { MemberName } from '../approvals/member-name.tsx';
import { History, type Step } from './history.tsx';

export type Field = [name: string, value: ReactNode];

/** Facts that are shown at once. */
const SHOWN = 6;

/** `facts`: those that people ask for most first. What is null is left out. */
type Parts = { steps: Step[]; facts: Field[] };

/** Side by side on wide windows, the history first. The facts after the sixth are folded. */
export function HistoryAndDetails({ steps, facts }: Parts) {
  const known = facts.filter(([, value]) => value !== null && value !== undefined);
  const folded = known.slice(SHOWN);
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 5 }}>
        <Section title="History">
          <History steps={steps} />
        </Section>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 7 }}>
        <Section title="Details">
          <Details rows={known.slice(0, SHOWN)} />
          {folded.length > 0 && (
            <Text component="details" mt="md">
              <Text component="summary" size="sm" fw={550} style={{ cursor: 'pointer' }}>
                Technical details
              </Text>
              <Details rows={folded} />
            </Text>
          )}
        </Section>
      </Grid.Col>
    </Grid>
  );
}

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h4" mb="md">
        {title}
      </Title>
      {children}
    </Paper>
  );
}

/** With the stroops, for a comparison with other books. */
export function ExactAmount({ stroops, asset = NATIVE }: { stroops: bigint; asset?: AssetFields }) {
  return (
    <>
      <Amount stroops={stroops} asset={asset} />{' '}
      <Text span size="sm" c="dimmed" className="figures">
        ({formatStroops(stroops)})
      </Text>
    </>
  );
}

/** The issuer of an issued asset, with the warning of a look-alike; no row for the native asset. */
export function issuerField(asset: AssetFields): Field[] {
  const { asset_issuer } = asset;
  if (asset_issuer === null) return [];
  return [['Issuer', <Account key="issuer" account={asset_issuer} what="issuer" />]];
}

/** Who approved it; no row where nobody did. */
export function approvedByField(approvals: Withdrawal['approvals']): Field[] {
  const approved = approvals.filter(({ decision }) => decision === 'approved');
  if (approved.length === 0) return [];
  const names = approved.map(({ user_id }) => (
    <div key={user_id}>
      <MemberName id={user_id} />
    </div>
  ));
  return [['Approved by', names]];
}

/** A transaction's hash, with a link to the explorer. */
export function TransactionHash({ hash }: { hash: string }) {
  return (
    <Group component="span" gap="sm">
      <Copyable value={hash} what="transaction hash" />
      <ExplorerLink kind="transaction" value={hash} />
    </Group>
  );
}

/** Explorers support G… addresses only. */
export function Account({ account, what }: { account: string; what: string }) {
  const address = readAddress(account);
  return (
    <Group component="span" gap="sm">
      <Copyable value={account} what={what} />
      {'account' in address && address.kind === 'account' && (
        <ExplorerLink kind="account" value={address.account} />
      )}
    </Group>
  );
}

function ExplorerLink({ kind, value }: { kind: 'transaction' | 'account'; value: string }) {
  const { data } = useQuery(serviceQuery);
  const template = data?.explorer?.[kind];
  if (!template) return null;
  return (
    <Anchor
      href={template.replace(`{${kind === 'transaction' ? 'hash' : 'account'}}`, value)}
      target="_blank"
      rel="noreferrer"
      size="sm"
      aria-label={`Open the ${kind} in the explorer (new tab)`}
    >
      <Group component="span" gap={4} display="inline-flex">
        Explorer <IconExternalLink size={14} />
      </Group>
    </Anchor>
  );
}
