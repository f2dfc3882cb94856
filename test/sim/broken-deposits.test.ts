/** Services that lose a deposit, or its webhook: the oracle must notice each. */
import { testBreaches } from './breaches.ts';
import { jumping, leaseless, recordingFirst, signingAsBefore } from './broken-services.ts';

testBreaches([
  {
    what: 'an ingester that jumps over a gap',
    seed: 'jump',
    first: 21,
    alterDeps: jumping,
    violation: /LOST/,
  },
  {
    what: 'a deliverer that takes what it has claimed for delivered',
    seed: 'recordingFirst',
    first: 1,
    rewrite: recordingFirst,
    violation: /LOST: it was never acknowledged/,
  },
  {
    what: 'a deliverer that claims what another has claimed, though nothing else goes wrong',
    seed: 'leaseless',
    first: 1,
    rewrite: leaseless,
    violation: /though nothing failed/,
    options: { fair: true },
  },
  {
    what: 'a deliverer that does not notice a rotation',
    seed: 'signingAsBefore',
    first: 7,
    alterDeps: signingAsBefore,
    violation: /replaced long ago|wrong webhook-signature/,
  },
]);
