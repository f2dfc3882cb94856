import { Page } from '../../parts/page.tsx';

export function Account() {
  return <Page title="Account">{null}</Page>;
}
