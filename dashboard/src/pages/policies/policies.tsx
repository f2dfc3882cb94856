import { Page } from '../../parts/page.tsx';

export function Policies() {
  return <Page title="Policies">{null}</Page>;
}
