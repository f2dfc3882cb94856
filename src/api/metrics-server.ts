/**
 * For the operator, on a separate port that need not be public: GET /metrics in the Prometheus text format, GET /readyz
 * with the reasons that the public one does not tell, and GET /healthz for the supervisor of a process without the role api.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Config } from '../config.ts';
import { envelope } from '../http/envelope.ts';
import { OperatorError } from '../lib/errors.ts';
import { isLoopbackAddress, isLoopbackName } from '../lib/host-or-block.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { Readiness } from './service-routes.ts';

export type MetricsServer = { url: string; stop(): Promise<void> };

/**
 * Starts the server, on a free port when the default one is taken. `refresh`: called before the metrics are read; it brings
 * gauges up to date that nobody sets. @throws OperatorError when METRICS_PORT is taken.
 */
export async function startMetricsServer(
  config: Pick<Config, 'host' | 'metrics_port' | 'metrics_port_fixed'>,
  metrics: Metrics,
  readiness: () => Promise<Readiness>,
  refresh: () => Promise<void> = async () => {},
): Promise<MetricsServer> {
  const { host, metrics_port, metrics_port_fixed } = config;
  const pages = {
    '/metrics': metricsPage(metrics, refresh),
    '/readyz': readinessPage(readiness),
    '/healthz': alivePage,
  };
  const server = await listen(pages, host, metrics_port).catch((error) => {
    if (error.code !== 'EADDRINUSE') throw error;
    if (!metrics_port_fixed) return listen(pages, host, 0);
    throw new OperatorError(
      `METRICS_PORT ${metrics_port} on ${host} is taken. Set METRICS_PORT to another port.`,
      { cause: error },
    );
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}/metrics`,
    async stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

type Page = () => Promise<{ status: number; type: string; text: string }>;

function metricsPage({ registry }: Metrics, refresh: () => Promise<void>): Page {
  return async () => {
    await refresh();
    return { status: 200, type: registry.contentType, text: await registry.metrics() };
  };
}

function readinessPage(readiness: () => Promise<Readiness>): Page {
  return async () => {
    const { ready, checks } = await readiness();
    const status = ready ? 200 : 503;
    return {
      status,
      type: 'application/json; charset=utf-8',
      text: JSON.stringify(envelope(status, checks)),
    };
  };
}

async function alivePage(): ReturnType<Page> {
  return { status: 200, type: 'application/json; charset=utf-8', text: JSON.stringify(envelope(200, {})) };
}

async function listen(pages: Record<string, Page>, host: string, port: number): Promise<Server> {
  const loopback_only = isLoopbackAddress(host);
  const server = createServer((request, response) => {
    // As in http/http-app.ts: on loopback, another name comes from a web page that rebound its name to this address. What it may
    // read tells nothing.
    const is_ours = isLoopbackName(request.headers.host ?? '') || request.url === '/healthz';
    if (loopback_only && !is_ours) return void response.writeHead(421).end();
    const page = pages[request.url ?? ''];
    if (!page) return void response.writeHead(404).end();
    if (request.method !== 'GET') return void response.writeHead(405, { allow: 'GET' }).end();
    page().then(
      ({ status, type, text }) => response.writeHead(status, { 'content-type': type }).end(text),
      () => response.writeHead(500).end(), // Prometheus shows the failed scrape; the service continues
    );
  });
  server.listen(port, host);
  await once(server, 'listening');
  return server;
}
