import { useQuery } from '@tanstack/react-query';
import type { WebhookEndpoint } from '../../api/contract.ts';
import { apiKeyQuery } from '../../api/wallets.ts';
import { isolated } from '../../text/isolate.ts';

/** Who has registered the endpoint. */
export function Maker({ endpoint: { wallet_id, created_by } }: { endpoint: WebhookEndpoint }) {
  const main = useQuery(apiKeyQuery(wallet_id));
  const { kind, id, name } = created_by;
  if (kind !== 'api_key') return `${kind === 'user' ? 'User' : 'Service user'} ${isolated(name ?? id)}`;
  if (name !== null) return `API key ${isolated(name)}`;
  // Until the main key is read, nobody knows whether it is this one.
  if (main.data === undefined) return 'The main API key';
  return main.data.id === id ? 'The main API key' : 'A main API key that was replaced since';
}
