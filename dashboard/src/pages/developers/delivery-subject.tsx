import type { WebhookSubject } from '../../api/contract.ts';
import { Amount } from '../../components/amount.tsx';
import { shortened } from '../../components/copy.tsx';
import { IssuerMark } from '../../components/issuer-mark.tsx';
import { TextLink } from '../../components/text-link.tsx';
import type { AssetFields } from '../../text/asset.ts';
import { isolated } from '../../text/isolate.ts';

/** What an event tells of, in one line: an amount and whose it is, or a name. */
export function DeliverySubject({ subject }: { subject: WebhookSubject }) {
  const { type, name, amount_stroops } = subject;
  const asset = assetOf(subject);
  if (type === 'asset' && asset)
    return (
      <>
        {asset.asset_code}
        <IssuerMark asset={asset} />
      </>
    );
  if (amount_stroops === null || !asset) return name === null ? subject.id : isolated(name);
  return (
    <>
      <Amount stroops={amount_stroops} asset={asset} />
      {name !== null && (type === 'deposit' ? `, ${isolated(name)}` : ` to ${shortened(name)}`)}
    </>
  );
}

/** The same, as a link to the page that shows more of it. */
export function SubjectLink({ walletId, subject }: { walletId: string; subject: WebhookSubject }) {
  const { type, id } = subject;
  const words = <DeliverySubject subject={subject} />;
  switch (type) {
    case 'deposit':
      return (
        <TextLink to="/wallets/$walletId/deposits/$depositId" params={{ walletId, depositId: id }}>
          {words}
        </TextLink>
      );
    case 'withdrawal':
      return (
        <TextLink to="/wallets/$walletId/withdrawals/$withdrawalId" params={{ walletId, withdrawalId: id }}>
          {words}
        </TextLink>
      );
    case 'payout':
      return (
        <TextLink to="/wallets/$walletId/payouts/$payoutId" params={{ walletId, payoutId: id }}>
          {words}
        </TextLink>
      );
    case 'asset':
      return (
        <TextLink to="/wallets/$walletId/assets" params={{ walletId }}>
          {words}
        </TextLink>
      );
    case 'endpoint':
      return (
        <TextLink to="/wallets/$walletId/developers/webhooks/$webhookId" params={{ walletId, webhookId: id }}>
          {words}
        </TextLink>
      );
  }
}

function assetOf({ asset_code, asset_issuer }: WebhookSubject): AssetFields | null {
  return asset_code === null ? null : { asset_code, asset_issuer };
}
