import { Alert, Loader, Text } from '@mantine/core';
import type { WalletAsset } from '../../api/contract.ts';
import { readableMessage } from '../../text/api-message.ts';
import { STATUS_WORDS } from './status-words.ts';

/** What has become of an addition or removal whose answer came too early, or was lost. `asset`: as it is now. */
export function AssetOutcome({ asset }: { asset: WalletAsset }) {
  const { status, asset_code, failure } = asset;
  if (status === 'pending' || status === 'removing')
    return (
      <Alert color="yellow" variant="light" role="status" icon={<Loader size={18} />} title="Not done yet">
        <Text size="sm">
          {asset_code} is {STATUS_WORDS[status].label}. You see here when it is done. You can close this
          dialog before: the change continues. Asking for it again is safe.
        </Text>
      </Alert>
    );
  if (status === 'failed')
    return (
      <Alert color="red" variant="light" role="alert" title="The network refused it">
        {readableMessage(failure?.message ?? 'The wallet does not have the asset.')}
      </Alert>
    );
  if (status === 'absent')
    return (
      <Alert color="teal" variant="light" role="status" title="The wallet does not have it">
        <Text size="sm">The wallet has no trust line for {asset_code}.</Text>
      </Alert>
    );
  return (
    <Alert color="teal" variant="light" role="status" title="The wallet has it">
      <Text size="sm">{STATUS_WORDS[status].meaning ?? `The wallet can take and pay ${asset_code}.`}</Text>
    </Alert>
  );
}
