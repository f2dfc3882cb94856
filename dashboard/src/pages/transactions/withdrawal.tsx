import { Page } from '../../parts/page.tsx';

export function WithdrawalPage() {
  return <Page title="WithdrawalPage">{null}</Page>;
}
