// For `--import`: tells on standard error that the process loads what sends spans. (prom-client loads @opentelemetry/api alone.)
import { registerHooks } from 'node:module';

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === '@opentelemetry/sdk-trace') process.stderr.write(`loads ${specifier}\n`);
    return next(specifier, context);
  },
});
