/** Services that take the wrong word for an approval: the oracle must notice each. */
import { testBreaches } from './breaches.ts';
import {
  addingNoPayments,
  countingLatecomers,
  ignoringRejections,
  sendingEarly,
  trustingKnowers,
  waitingForEver,
} from './broken-services.ts';

testBreaches([
  {
    what: 'a service that lets the requester approve',
    seed: 'selfApproval',
    first: 0,
    alterDeps: (deps) => deps,
    violation: /who has asked for it/,
    options: { approvals: true, seenAs: (actor) => ({ ...actor, id: 'usr_somebody' }) },
  },
  {
    what: 'a service that counts approvals of members who got the right after the request',
    seed: 'latecomers',
    first: 0,
    rewrite: countingLatecomers,
    violation: /who may not decide about it/,
    options: { approvals: true },
  },
  {
    what: 'a service that sends with one approval what needs more',
    seed: 'early',
    first: 0,
    rewrite: sendingEarly,
    violation: /was sent with 1 approvals, and needs/,
    options: { approvals: true },
  },
  {
    what: 'a service that does not add up what is paid without approvals',
    seed: 'addingNoPayments',
    first: 0,
    rewrite: addingNoPayments,
    violation: /was paid WITHOUT APPROVALS in a day/,
    options: { approvals: true },
  },
  {
    what: 'a service that goes on to wait after a rejection',
    seed: 'ignoring',
    first: 49,
    rewrite: ignoringRejections,
    violation: /rejected it: 200 decided, and it was not recorded/,
    options: { approvals: true },
  },
  {
    what: 'a service that lets the people behind a program approve what it asks for',
    seed: 'trusting',
    first: 8,
    rewrite: trustingKnowers,
    violation: /approved it, who may not decide about it/,
    options: { approvals: true },
  },
  {
    what: 'a service that never ends what was not approved in time',
    seed: 'forEver',
    first: 1,
    rewrite: waitingForEver,
    violation: /awaits approvals after its end/,
    options: { approvals: true },
  },
]);
