import { Badge } from '@mantine/core';

/** Nobody must confuse test money and real money. */
const NETWORKS = {
  sandbox: { label: 'Sandbox', color: 'teal.9' },
  testnet: { label: 'Testnet', color: 'orange.4' },
  public: { label: 'Public network', color: 'red.9' },
} as const;

export function NetworkBadge({ network }: { network: string }) {
  const { label, color } = NETWORKS[network as keyof typeof NETWORKS] ?? { label: network, color: 'gray' };
  return (
    <Badge
      color={color}
      variant="filled"
      autoContrast
      size="lg"
      className="network"
      radius="sm"
      role="img"
      aria-label={`Network: ${label}`}
      style={{ flexShrink: 0 }}
    >
      {label}
    </Badge>
  );
}
