import { strict as assert } from 'node:assert';
import { it } from 'node:test';
import { withoutSettings } from './test-environment.ts';

it('leaves no variable to the tests that changes what a service does, and all others', () => {
  const settings = {
    METRICS_PORT: '9464',
    DATABASE_URL: 'postgres://elsewhere/other',
    MASTER_KEY_FILE: '/nowhere',
    METRICS_PRT: 'misspelt, so that each command would refuse it',
    PGHOST: 'elsewhere',
    AWS_REGION: 'eu-central-1',
  };
  const others = { PATH: '/bin', TEST_PGHOST: '/run', LONG_TESTS: '1', SEED: '7' };
  assert.deepEqual(withoutSettings({ ...settings, ...others }), others);
});
