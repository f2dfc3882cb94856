// Preloaded into each process of a run of all tests (bundle.ts): packages and the service come from the bundles.
// JavaScript, because the commands in bin/ start on the Node of the machine first, which may be an older one.
import * as nodeModule from 'node:module';

const bundles = JSON.parse(process.env.TEST_BUNDLES ?? '{}');

nodeModule.registerHooks?.({
  resolve(specifier, context, next) {
    const url = bundles[specifier];
    return url ? { url, format: 'module', shortCircuit: true } : next(specifier, context);
  },
});
