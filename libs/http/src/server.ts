import type { Server } from 'node:http';
import { createServer } from 'node:http';
import { Server as NetServer, type AddressInfo } from 'node:net';
import type { Express } from 'express';
import { startAll, stopAll, type Components, type Logger } from '@platform/runtime';
import { arrivalLimit } from './arriving';
import { componentGauges } from './component-gauges';
import { heldGauges } from './held';
import { createMetrics, type GaugeSource, type Metrics } from './metrics';
import { mount } from './mount';
import { createExpressServer, endConnections } from './native-request';
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
  /** How long idle connections stay open when a service stops, 0 by default; see `close`. */
  readonly lingerMs?: number;
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
const SWEEP_MS = 50;
/** Longer than the idle time of common load balancers, or they send a request down a connection that is just closing. */
const KEEP_ALIVE_MS = 65_000;

const HEADERS_MS = 15_000;

interface Listener {
  readonly server: Server;
  readonly port: number;
  /** Every answer from now on ends its connection. */
  readonly endWithAnswers?: () => void;
}

/**
 * Lets nobody new in, and ends every connection with its next answer. One that is idle stays for `lingerMs`, because the other
 * side may be sending a request down it at this moment, and could not know whether that was heard; then it is ended too.
 */
const close = ({ server, endWithAnswers }: Listener, lingerMs: number): Promise<void> =>
  new Promise((resolve) => {
    let sweep: NodeJS.Timeout | undefined;
    const linger = setTimeout(() => {
      sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
    }, lingerMs);
    const force = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    const closed = (): void => {
      for (const timer of [linger, sweep, force]) clearTimeout(timer);
      resolve();
    };
    endWithAnswers?.();
    // An HTTP server's own `close` ends idle connections at once
    if (lingerMs > 0) NetServer.prototype.close.call(server, closed);
    else server.close(closed);
  });

/** The metrics alone, for a port that only a scraper reaches. */
const scrapedServer = (metrics: Metrics): Server =>
  createServer((_, response) => {
    response.setHeader('X-Content-Type-Options', 'nosniff');
    void metrics.render().then((text) => response.setHeader('Content-Type', metrics.contentType).end(text));
  });

const urlOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

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
    server.requestTimeout = arrivalLimit(service.endpoints);
    service.attach?.(server);
    return { server, port: at, endWithAnswers: () => endConnections(app) };
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
  { host = ANY_HOST, logger, internalPort, signal }: ListenOptions,
): Promise<readonly number[]> => {
  // Without an internal port nothing is hidden from anybody
  const exposed = internalPort === undefined ? [] : ports.slice(0, 1);
  const room = new WaitingRoom(ports, host, logger, exposed);
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
 * for its schema to be migrated, every request is answered 503, with the reason where no strangers ask.
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
    const open = listeners.filter(({ server }) => server.listening);
    await Promise.all(open.map((listener) => close(listener, options.lingerMs ?? 0)));
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
