import { Page } from '../../parts/page.tsx';

export function DepositPage() {
  return <Page title="DepositPage">{null}</Page>;
}
