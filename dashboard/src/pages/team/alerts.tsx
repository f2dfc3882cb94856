import { Alert, Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPencil } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { alertsQuery } from '../../api/alerts.ts';
import { api } from '../../api/client.ts';
import type { Alerts as AlertSettings } from '../../api/contract.ts';
import { useMay } from '../../api/me.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { Details } from '../../components/details.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { useSecretMutation } from '../../components/use-secret-mutation.ts';
import { kindInWords } from '../../text/alert-kinds.ts';
import { assetName } from '../../text/asset.ts';
import { formatUnits } from '../../text/money.ts';
import { Section } from '../developers/section.tsx';
import { AlertSecret, AlertsDialog } from './alerts-dialog.tsx';

/** What the team is alerted of, and where alerts go. */
export function Alerts() {
  const query = useQuery(alertsQuery);
  const may = useMay();
  const [changing, change] = useDisclosure();
  const [rotating, rotate] = useDisclosure();
  return (
    <Section
      title="Alerts"
      description="Owners and admins learn at once what makes the team less safe: by mail, and by a webhook for your own systems. Users get mails about their own sign-in in any case."
      actions={
        query.data && (
          <>
            {query.data.url !== null && may('rotateAlertSecret') && (
              <Button variant="default" onClick={rotate.open}>
                Replace signing secret
              </Button>
            )}
            {may('replaceAlerts') && (
              <Button variant="default" leftSection={<IconPencil size={16} />} onClick={change.open}>
                Change alerts
              </Button>
            )}
          </>
        )
      }
    >
      <Loaded query={query}>{(alerts) => <Settings alerts={alerts} />}</Loaded>
      {changing && query.data && <AlertsDialog alerts={query.data} onClose={change.close} />}
      {rotating && <RotateSecret onClose={rotate.close} />}
    </Section>
  );
}

function Settings({ alerts }: { alerts: AlertSettings }) {
  const { url, disabled_reason, failing_since, last_failure, kinds, large_payments, mails } = alerts;
  const others = kinds?.filter((kind) => kind !== 'alerts_changed');
  return (
    <>
      {disabled_reason !== null && (
        <Alert color="red" title="The webhook is disabled" mb="md">
          {disabled_reason}
        </Alert>
      )}
      {disabled_reason === null && failing_since !== null && (
        <Alert color="orange" title="The webhook does not take alerts" mb="md">
          Since <DateTime at={failing_since} /> every attempt has failed. The service tries again.
        </Alert>
      )}
      <Details
        rows={[
          [
            'Mails',
            mails
              ? 'to owners and admins'
              : 'none: the operator of the service has named no mail server (SMTP_URL)',
          ],
          ['Webhook', url ?? 'none'],
          [
            'Last failure',
            last_failure && (
              <>
                <DateTime at={last_failure.at} />: {last_failure.reason}
              </>
            ),
          ],
          [
            'Alerts of',
            others === undefined
              ? 'everything'
              : others.map(kindInWords).join(' · ') || 'nothing but changes of the alerts',
          ],
          [
            'Large withdrawal',
            large_payments.length === 0
              ? 'none: no amount is set'
              : large_payments
                  .map((each) => `above ${formatUnits(each.amount_stroops)} ${assetName(each)}`)
                  .join(' · '),
          ],
        ]}
      />
    </>
  );
}

function RotateSecret({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const rotate = useSecretMutation(
    {
      mutationFn: () => api('rotateAlertSecret', {}),
      onSettled: () => client.invalidateQueries({ queryKey: alertsQuery.queryKey }),
    },
    onClose,
  );
  const secret = rotate.data?.signing_secret;
  if (secret) return <AlertSecret secret={secret} onStored={onClose} />;
  return (
    <ConfirmDialog
      title="Replace the signing secret of the alerts?"
      action="Replace secret"
      danger
      pending={rotate.isPending}
      error={rotate.error}
      onConfirm={() => rotate.mutate()}
      onClose={rotate.close}
    >
      Alerts are signed with the new secret from now on. An alert that your system refuses is sent again for
      three days: give it the new secret soon.
    </ConfirmDialog>
  );
}
