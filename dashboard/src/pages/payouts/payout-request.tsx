import { List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { Payout } from '../../api/contract.ts';
import { firstRowsQuery, payoutQuery } from '../../api/payouts.ts';
import { Amount, Figures } from '../../components/amount.tsx';
import { PayeeWords } from '../../components/payee-name.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { assetText } from '../../text/asset.ts';
import { counted } from '../../text/counted.ts';
import { isolated } from '../../text/isolate.ts';
import type { ApprovalRequest } from '../approvals/request.ts';

const OPERATIONS = { approve: 'approvePayout', reject: 'rejectPayout' } as const;

export function payoutRequest(payout: Payout): ApprovalRequest {
  const { id, wallet_id, row_count } = payout;
  const page = {
    to: '/wallets/$walletId/payouts/$payoutId',
    params: { walletId: wallet_id, payoutId: id },
  } as const;
  return {
    asked: payout,
    what: 'this payout',
    facts: <Sums payout={payout} />,
    wallet_id,
    link: <TextLink {...page}>Open the payout</TextLink>,
    operations: OPERATIONS,
    leftOut: (close) =>
      row_count > 1 && (
        <Text size="sm">
          You decide about all {row_count} rows.{' '}
          <TextLink {...page} underline="always" onClick={close}>
            Look at all {row_count} rows
          </TextLink>
        </Text>
      ),
    decide: async ({ verb, body }, client) => {
      const decided = await api(OPERATIONS[verb], { id: wallet_id, payout_id: id, body });
      client.setQueryData(payoutQuery(wallet_id, id).queryKey, decided);
    },
  };
}

function Sums({ payout }: { payout: Payout }) {
  const { name, totals, row_count } = payout;
  return (
    <div>
      {totals.map((total) => (
        <Text key={assetText(total)} size="xl" fw={650} component="div">
          <Amount stroops={total.amount_stroops} asset={total} layout="large" />
        </Text>
      ))}
      <Text size="sm">
        in {counted(row_count, 'row')} of {isolated(name)}
      </Text>
      <FirstPayees payout={payout} />
    </div>
  );
}

/** The first rows of the file: whom it pays. The page of the payout has all of them. */
function FirstPayees({ payout: { id, wallet_id, row_count } }: { payout: Payout }) {
  const { data } = useQuery(firstRowsQuery(wallet_id, id));
  if (!data) return null;
  const others = row_count - data.items.length;
  return (
    <List size="sm" listStyleType="none" mt={4} aria-label="First payees">
      {data.items.map(({ row, destination, memo_id, reference, ...paid }) => (
        <List.Item key={row} style={{ overflowWrap: 'anywhere' }}>
          <Figures stroops={paid.amount_stroops} asset={paid} /> to{' '}
          <PayeeWords paid={{ destination, memo_id }} />
          {memo_id !== null && <> with memo id {String(memo_id)}</>}
          {reference !== null && <>, {isolated(reference)}</>}
        </List.Item>
      ))}
      {others > 0 && <List.Item>and {counted(others, 'more row')}</List.Item>}
    </List>
  );
}
