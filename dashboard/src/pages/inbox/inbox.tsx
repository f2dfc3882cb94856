import { Page } from '../../parts/page.tsx';

export function Inbox() {
  return <Page title="Inbox">{null}</Page>;
}
