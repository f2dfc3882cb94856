/** The environment that test processes get from the runner. */
import { isSetting } from '../../src/config.ts';

/** Prefixes of variables that the libraries of the service read by themselves: PostgreSQL's, AWS's and OpenTelemetry's. */
const READ_BY_LIBRARIES = /^(PG|AWS_|OTEL_)/;

/**
 * Returns the environment without the variables that change what a service or a command does. With METRICS_PORT of the
 * developer's shell, for example, a test could not start a second service.
 */
export function withoutSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(
    ([name]) => !isSetting(name) && !READ_BY_LIBRARIES.test(name),
  );
  return Object.fromEntries(kept);
}
