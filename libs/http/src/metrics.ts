import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** A number that is read when somebody scrapes: a backlog, a pool's use. */
export interface GaugeSource {
  readonly name: string;
  readonly help: string;
  read(): Promise<number> | number;
}

export interface Metrics {
  /** Records one finished request under its route template; path values never become labels. */
  observe(method: string, route: string, status: number, seconds: number): void;
  addGauge(source: GaugeSource): void;
  /** Prometheus text. */
  render(): Promise<string>;
  readonly contentType: string;
}

type Observe = (seconds: number) => void;

/** Metrics of one service: request counts and latency by route and status, event-loop lag, memory, and added gauges. */
export const createMetrics = (service: string): Metrics => {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  const latency = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Requests by route template and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  // Resolving labels costs more than counting: each combination is resolved once
  const bound = new Map<string, Observe>();
  const bind = (method: string, route: string, status: number): Observe => {
    const key = `${method} ${route} ${status}`;
    const child =
      bound.get(key) ??
      (
        (labels) => (seconds: number) =>
          labels.observe(seconds)
      )(latency.labels(method, route, String(status)));
    bound.set(key, child);
    return child;
  };
  return {
    observe: (method, route, status, seconds) => bind(method, route, status)(seconds),
    addGauge: ({ name, help, read }) =>
      void new Gauge({
        name,
        help,
        registers: [registry],
        async collect() {
          this.set(await read());
        },
      }),
    render: () => registry.metrics(),
    contentType: registry.contentType,
  };
};
