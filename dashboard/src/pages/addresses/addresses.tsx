import { Page } from '../../parts/page.tsx';

export function Addresses() {
  return <Page title="Addresses">{null}</Page>;
}
