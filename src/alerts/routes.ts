import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { envelope, envelopeSchema } from '../http/envelope.ts';
import type { HttpApp } from '../http/http-app.ts';
import { AlertsBody, AlertsResource, ChangedAlerts, readWished, showAlerts } from './alert-schema.ts';
import { replaceAlerts, rotateAlertSecret } from './alert-settings.ts';
import { findSettings } from './settings-store.ts';

export function alertRoutes(app: HttpApp, deps: Deps): void {
  const mails = deps.mailer !== null;
  app.get(
    '/v1/team/alerts',
    {
      config: { access: 'login', roles: 'auditors', errors: [], client: 'team.get_alerts' },
      schema: {
        operationId: 'getAlerts',
        tags: ['team'],
        summary: 'Read alerts',
        description: 'What the team is alerted of, and where alerts are sent.',
        response: { 200: envelopeSchema(AlertsResource) },
      },
    },
    async (request, reply) => {
      const settings = await findSettings(deps.reads, request.login.member.team_id);
      return reply.code(200).send(envelope(200, showAlerts(settings, mails)));
    },
  );

  app.put(
    '/v1/team/alerts',
    {
      config: {
        access: 'person',
        roles: 'owners',
        step_up: 'always',
        no_store: true,
        errors: ['webhook_url_not_public'],
        client: 'team.replace_alerts',
        examples: {
          body: {
            kinds: ['policy_loosened', 'large_payment'],
            large_payments: [{ amount_stroops: 10_000_000_000 }],
          },
        },
      },
      schema: {
        operationId: 'replaceAlerts',
        tags: ['team'],
        summary: 'Replace alerts',
        description:
          'Replaces all settings. A webhook with another URL gets another signing secret, which is shown only in this response. ' +
          'A webhook that was disabled is enabled again. For a day, the former URL still gets the alerts of changed settings.',
        body: AlertsBody,
        response: { 200: envelopeSchema(ChangedAlerts) },
      },
    },
    async (request, reply) => {
      const by = { team_id: request.login.member.team_id, actor: request.actor };
      const { settings, signing_secret } = await replaceAlerts(deps, by, readWished(request.body));
      return reply.code(200).send(envelope(200, { ...showAlerts(settings, mails), signing_secret }));
    },
  );

  app.post(
    '/v1/team/alerts/rotate-secret',
    {
      config: {
        access: 'person',
        roles: 'owners',
        step_up: 'always',
        no_store: true,
        makes: { shown_once: ['signing_secret'] },
        errors: ['not_found'],
        client: 'team.rotate_alert_secret',
      },
      schema: {
        operationId: 'rotateAlertSecret',
        tags: ['team'],
        summary: 'Replace signing secret of alerts',
        description:
          'The new secret is never shown again, and signs alerts from now on. The alert of the change is also sent with the former secret.',
        body: z.strictObject({}),
        response: { 200: envelopeSchema(ChangedAlerts) },
      },
    },
    async (request, reply) => {
      const by = { team_id: request.login.member.team_id, actor: request.actor };
      const { settings, signing_secret } = await rotateAlertSecret(deps, by);
      return reply.code(200).send(envelope(200, { ...showAlerts(settings, mails), signing_secret }));
    },
  );
}
