import { Page } from '../../parts/page.tsx';

export function AddressPage() {
  return <Page title="AddressPage">{null}</Page>;
}
