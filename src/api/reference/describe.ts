/** What /openapi.json says beside the routes: what the service is, its parts, its errors, examples and webhooks. */
import type { Description } from '../../http/openapi-document.ts';
import { ERROR_MESSAGES } from './error-messages.ts';
import { SAMPLES } from './examples.ts';
import { GUIDES } from './guides.ts';
import { MEMBERS } from './members.ts';
import { WEBHOOKS } from './webhook-events.ts';

export const INTRODUCTION = `Wallet payments on the Stellar network, from your own server. [The dashboard](/) manages the same wallets.

- **Credentials.** Send \`Authorization: Bearer …\`: the API key of a wallet, a login token, or the token of a service user.
- **Integers are exact.** \`amount_stroops\` goes to 9223372036854775807 and \`memo_id\` to 18446744073709551615. Use a JSON reader that keeps them. An integer of more than 20 digits is refused.
- **Success** is \`{ "statusCode", "message", "data" }\`. **Errors** have \`error.code\`, a word that does not change; each operation lists its codes.
- **\`null\` in a body** means that the field is absent. A field that is not known is refused.
`;

const TAGS = {
  auth: 'Logins, sessions, second factors and tokens of programs.',
  team: 'Members, service users, changes that members approve, alerts and the audit log.',
  payees: 'Whom the team pays, by name.',
  wallets: 'Wallets with their balances, API keys, transactions and health.',
  deposits: 'Deposit addresses, deposits, and what explains them.',
  withdrawals: 'Payments out of a wallet, their policies and approvals.',
  payouts: 'Many payments as one file.',
  assets: 'Issued assets that a wallet holds.',
  webhooks: 'Receivers of events, their deliveries, and the events themselves.',
  events: 'The requests that your receiver gets.',
  service: 'What this service is, and whether it works.',
};

/** Parameters whose routes say nothing of them. */
const PARAMETERS = {
  id: 'The id of the wallet',
  asset: '`native` or `CODE:ISSUER`',
  tx_hash: 'The hash of the transaction, in hex',
  type: 'Only transactions of this type',
  status: 'Only those with this status',
  attributed: 'Only deposits with a deposit address, or only those without one',
  action: 'Only entries of this action',
  idempotency_key: 'Only the withdrawal that has this key',
};

export const DESCRIPTION: Description = {
  info: {
    title: 'Stellar Teller',
    version: '1',
    description: `${INTRODUCTION}\n${GUIDES}`,
    contact: { name: 'The operator of this service' },
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
  messages: ERROR_MESSAGES,
  samples: SAMPLES,
  webhooks: WEBHOOKS,
  registers_webhooks: 'registerWebhook',
  parameters: PARAMETERS,
  members: MEMBERS,
};
