import { Table, Text } from '@mantine/core';
import type { WithdrawalPreview } from '../../api/contract.ts';
import { Figures } from '../../components/amount.tsx';
import { decimalsOf } from '../../text/money.ts';
import { paymentSum } from './payment-sum.ts';
import type { WithdrawalRequest } from './withdrawal-input.ts';

type Props = { request: Pick<WithdrawalRequest, 'amount_stroops'>; preview: WithdrawalPreview };

/** What is available before and after the payment: one column, whose decimals stand below one another. */
export function PaymentSumTable({ request, preview }: Props) {
  const lines = paymentSum(request, preview);
  const decimals = Math.max(...lines.map(({ stroops }) => (stroops === null ? 0 : decimalsOf(stroops))));
  const { reserve_stroops, asset_issuer } = preview;
  return (
    <div>
      <Table aria-label="Available before and after" variant="vertical" layout="auto">
        <Table.Tbody>
          {lines.map(({ name, stroops }, index) => (
            <Table.Tr key={name}>
              <Table.Th fw={500} scope="row">
                {name}
              </Table.Th>
              <Table.Td ta="right" fw={index === lines.length - 1 ? 650 : 400}>
                {stroops === null ? (
                  <Text c="dimmed">—</Text>
                ) : (
                  <Figures stroops={stroops} asset={preview} decimals={decimals} />
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {asset_issuer === null && reserve_stroops > 0n && (
        <Text size="xs" c="dimmed" mt={4} ta="right">
          <Figures stroops={reserve_stroops} asset={preview} /> more stays reserved
        </Text>
      )}
    </div>
  );
}
