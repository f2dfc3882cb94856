/** GET /metrics in the Prometheus text format, on a separate port that need not be public. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Config } from '../config.ts';
import { OperatorError } from '../errors.ts';
import { isLoopbackAddress, isLoopbackName } from '../lib/host-or-block.ts';
import type { Metrics } from '../lib/metrics.ts';

export type MetricsServer = { url: string; stop(): Promise<void> };

/** Starts the server, on a free port when the default one is taken. @throws OperatorError when METRICS_PORT is taken. */
export async function startMetricsServer(
  config: Pick<Config, 'host' | 'metrics_port' | 'metrics_port_fixed'>,
  metrics: Metrics,
): Promise<MetricsServer> {
  const { host, metrics_port, metrics_port_fixed } = config;
  const server = await listen(metrics, host, metrics_port).catch((error) => {
    if (error.code !== 'EADDRINUSE') throw error;
    if (!metrics_port_fixed) return listen(metrics, host, 0);
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

async function listen({ registry }: Metrics, host: string, port: number): Promise<Server> {
  const loopback_only = isLoopbackAddress(host);
  const server = createServer((request, response) => {
    // As in http/http-app.ts: on loopback, another name comes from a web page that rebound its name to this address.
    if (loopback_only && !isLoopbackName(request.headers.host ?? ''))
      return void response.writeHead(421).end();
    if (request.url !== '/metrics') return void response.writeHead(404).end();
    if (request.method !== 'GET') return void response.writeHead(405, { allow: 'GET' }).end();
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(), // Prometheus shows the failed scrape; the service continues
    );
  });
  server.listen(port, host);
  await once(server, 'listening');
  return server;
}
