import type { ReactNode } from 'react';
import { Amount } from '../../components/amount.tsx';
import { Page } from '../../components/page.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { Trail } from '../../components/trail.tsx';
import { type AssetFields, unitOf } from '../../text/asset.ts';
import { formatUnits } from '../../text/money.ts';

type Props = {
  walletId: string;
  kind: 'Deposit' | 'Withdrawal' | 'Adjustment';
  /** Undefined until it is read. */
  transaction: (AssetFields & { amount_stroops: bigint }) | undefined;
  /** After the amount: who paid, or who was paid. */
  party: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
};

/** The page of one transaction. The heading and the tab say how much, so that two of them can be told apart. */
export function TransactionPage({ walletId, kind, transaction, party, actions, children }: Props) {
  const { amount_stroops = 0n } = transaction ?? {};
  // A change of a trust line has no amount, only its asset.
  const amount =
    transaction &&
    (amount_stroops > 0n ? `${formatUnits(amount_stroops)} ${unitOf(transaction)}` : unitOf(transaction));
  return (
    <Page
      title={amount ? `${amount} · ${kind}` : kind}
      heading={
        transaction && (
          <>
            {amount_stroops > 0n ? (
              <Amount stroops={amount_stroops} asset={transaction} layout="large" />
            ) : (
              amount
            )}{' '}
            {party}
          </>
        )
      }
      trail={
        <Trail here={kind}>
          <TextLink to="/wallets/$walletId/transactions" params={{ walletId }}>
            Transactions
          </TextLink>
        </Trail>
      }
      actions={actions}
    >
      {children}
    </Page>
  );
}
