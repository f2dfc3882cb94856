import { Badge } from '@mantine/core';

/** Nobody must confuse test money and real money. */
const NETWORKS = {
  sandbox: { label: 'Sandbox', color: 'yellow.6', variant: 'dot' },
  testnet: { label: 'Testnet', color: 'orange.4', variant: 'filled' },
  public: { label: 'Public network', color: 'red.9', variant: 'filled' },
} as const;
const OTHER = { color: 'gray.6', variant: 'filled' } as const;

export function NetworkBadge({ network }: { network: string }) {
  const { label, color, variant } = NETWORKS[network as keyof typeof NETWORKS] ?? {
    label: network,
    ...OTHER,
  };
  return (
    <Badge
      color={color}
      variant={variant}
      autoContrast
      size="lg"
      className="network"
      radius="sm"
      role="img"
      aria-label={`Network: ${label}`}
      style={{ flexShrink: 0 }}
      // A phone shows only a dot of it.
      __vars={{ '--network-color': `var(--mantine-color-${color.replace('.', '-')})` }}
    >
      {label}
    </Badge>
  );
}
