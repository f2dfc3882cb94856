import { Page } from '../../components/page.tsx';
import { FactorsSection } from './factors-section.tsx';
import { SessionsSection } from './sessions-section.tsx';

export function SecurityPage() {
  return (
    <Page title="Security" description="Who can act as you, and from where.">
      <FactorsSection />
      <SessionsSection />
    </Page>
  );
}
