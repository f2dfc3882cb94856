import { Page } from '../../parts/page.tsx';

export function Withdraw() {
  return <Page title="Withdraw">{null}</Page>;
}
