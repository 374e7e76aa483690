import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import { startAll, stopAll, type Components, type Logger } from '@platform/runtime';
import { componentGauges } from './component-gauges';
import { heldGauges } from './held';
import { createMetrics, type GaugeSource, type Metrics } from './metrics';
import { mount } from './mount';
import { createExpressServer } from './native-request';
import { mountOperations } from './operations';
import { peerGauges } from './peer-gauges';
import type { Registration, Service } from './service';
import { listen, WaitingRoom } from './waiting-room';

export interface ListenOptions {
  readonly port: number;
  readonly host?: string;
  /** A second listener with every route; once set, the public one hides internal routes, /health, /metrics and /docs. */
  readonly internalPort?: number;
  /** /metrics moves here when set. */
  readonly metricsPort?: number;
  readonly logger: Logger;
  readonly metrics?: Metrics;
  /** Sends HSTS: for services behind a proxy that speaks HTTPS. */
  readonly hsts?: boolean;
  /** Gives the start up, also one that waits. */
  readonly signal?: AbortSignal;
}

export interface RunningService {
  readonly url: string;
  readonly internalUrl: string;
  readonly metrics: Metrics;
  /** Not ready, no new connections, running requests finished, components stopped. Resolves with what failed to stop. */
  stop(): Promise<unknown[]>;
}

const ANY_HOST = '0.0.0.0';
const DRAIN_MS = 8_000;
/** Longer than the idle time of common load balancers, or they send a request down a connection that is just closing. */
const KEEP_ALIVE_MS = 65_000;

/** A slow request holds its connection no longer than this; files over a slow line need more. */
const HEADERS_MS = 15_000;
const REQUEST_MS = 30_000;
const UPLOAD_MS = 120_000;

/** Connections that become idle after `close` was called stay open for keep-alive, so they are swept until none is left. */
const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    const sweep = setInterval(() => server.closeIdleConnections(), 50);
    const force = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(force);
      resolve();
    });
  });

/** The metrics alone, for a port that only a scraper reaches. */
const scrapedServer = (metrics: Metrics): Server =>
  createServer((_, response) => {
    response.setHeader('X-Content-Type-Options', 'nosniff');
    void metrics.render().then((text) => response.setHeader('Content-Type', metrics.contentType).end(text));
  });

const urlOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

interface Listener {
  readonly server: Server;
  readonly port: number;
}

/** The listeners of a service, none of them open yet: the public one first, then the internal and the metrics one, if any. */
export const listenersOf = (
  service: Service,
  options: ListenOptions,
  metrics: Metrics,
  ready: () => boolean,
): Listener[] => {
  const { logger, port, internalPort, metricsPort } = options;
  const isPublic = ({ endpoint, variant }: Registration) => !endpoint.internal && variant === undefined;
  const build = (at: number, exposed: boolean): Listener => {
    const serves = exposed ? isPublic : () => true;
    const operations = (app: Express) =>
      mountOperations(app, service, { metrics, ready, exposeMetrics: metricsPort === undefined, exposed });
    const { app, listener } = mount(service, { logger, metrics, serves, operations, hsts: options.hsts });
    const server = createExpressServer(app, listener);
    server.keepAliveTimeout = KEEP_ALIVE_MS;
    server.headersTimeout = HEADERS_MS;
    server.requestTimeout = service.endpoints.some(({ files }) => files) ? UPLOAD_MS : REQUEST_MS;
    service.attach?.(server);
    return { server, port: at };
  };
  return [
    build(port, internalPort !== undefined),
    ...(internalPort === undefined ? [] : [build(internalPort, false)]),
    ...(metricsPort === undefined ? [] : [{ server: scrapedServer(metrics), port: metricsPort }]),
  ];
};

/**
 * Starts the components; those that wait for something outside do so with the ports open, where /ready says for what. Resolves to
 * the ports at which the service is to listen.
 */
const startComponents = async (
  components: Components,
  ports: readonly number[],
  { host = ANY_HOST, logger, signal }: ListenOptions,
): Promise<readonly number[]> => {
  const room = new WaitingRoom(ports, host, logger);
  const refused = new AbortController();
  const starting = {
    waits: (reason: string) => room.tell(reason, () => refused.abort()),
    signal: AbortSignal.any([refused.signal, ...(signal ? [signal] : [])]),
  };
  try {
    await startAll(components, logger, starting);
  } catch (failure) {
    await room.close();
    throw failure;
  }
  return room.close();
};

/** What /metrics of the service has besides what is measured of every process and request. */
export const gaugesOf = ({ gauges = [], components }: Service): readonly GaugeSource[] => [
  ...componentGauges(components),
  ...gauges,
  ...heldGauges(components),
  ...peerGauges(components),
];

/**
 * Starts a service: components in their order, then its listeners. When it resolves, /ready answers 200. While a component waits
 * for its schema to be migrated, every request is answered 503 with the reason.
 */
export const startService = async (service: Service, options: ListenOptions): Promise<RunningService> => {
  const { host = ANY_HOST, internalPort, metrics = createMetrics(service.name) } = options;
  for (const gauge of gaugesOf(service)) metrics.addGauge(gauge);
  let ready = false;
  const listeners = listenersOf(service, options, metrics, () => ready);
  const stop = async (): Promise<unknown[]> => {
    ready = false;
    service.draining?.();
    for (const component of service.components.flat()) component.drain?.();
    await Promise.all(listeners.filter(({ server }) => server.listening).map(({ server }) => close(server)));
    return stopAll(service.components);
  };
  const wanted = listeners.map(({ port }) => port);
  const ports = await startComponents(service.components, wanted, options);
  try {
    for (const [n, { server, port }] of listeners.entries()) await listen(server, ports[n] ?? port, host);
  } catch (refused) {
    await stop();
    throw refused;
  }
  ready = true;
  const [main, internal] = listeners.map(({ server }) => urlOf(server));
  return { url: main as string, internalUrl: (internalPort === undefined ? main : internal) as string, metrics, stop };
};
