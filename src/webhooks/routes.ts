import type { Deps } from '../deps.ts';
import type { HttpApp } from '../http/http-app.ts';
import { deliveryRoutes } from './delivery/delivery-routes.ts';
import { endpointRoutes } from './endpoints/endpoint-routes.ts';
import { eventRoutes } from './events/event-routes.ts';
import type { SampleData } from './events/send-test-event.ts';
import { examRoutes } from './exam/exam-routes.ts';

/** Adds the routes of webhooks. `sampleData` makes what a test event tells, because its resources are those of other slices. */
export function webhookRoutes(app: HttpApp, deps: Deps, sampleData: SampleData): void {
  endpointRoutes(app, deps);
  deliveryRoutes(app, deps, sampleData);
  eventRoutes(app, deps);
  examRoutes(app, deps, sampleData);
}
