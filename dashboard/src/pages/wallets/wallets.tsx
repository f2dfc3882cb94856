import { Page } from '../../parts/page.tsx';

export function Wallets() {
  return <Page title="Wallets">{null}</Page>;
}
