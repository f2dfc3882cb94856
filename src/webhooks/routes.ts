import type { Deps } from '../deps.ts';
import type { HttpApp } from '../http/http-app.ts';
import { deliveryRoutes } from './delivery/delivery-routes.ts';
import { endpointRoutes } from './endpoints/endpoint-routes.ts';
import { eventRoutes } from './events/event-routes.ts';
import { examRoutes } from './exam/exam-routes.ts';

export function webhookRoutes(app: HttpApp, deps: Deps): void {
  endpointRoutes(app, deps);
  deliveryRoutes(app, deps);
  eventRoutes(app, deps);
  examRoutes(app, deps);
}
