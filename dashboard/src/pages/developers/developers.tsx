import { Page } from '../../parts/page.tsx';

export function Developers() {
  return <Page title="Developers">{null}</Page>;
}
