import { Page } from '../../parts/page.tsx';

export function Transactions() {
  return <Page title="Transactions">{null}</Page>;
}
