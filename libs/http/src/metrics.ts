import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { LatencyTable } from './latency-table';

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

/** Metrics of one service: request counts and latency by route and status, event-loop lag, memory, and added gauges. */
export const createMetrics = (service: string): Metrics => {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  const latency = new LatencyTable();
  registry.registerMetric(latency.asMetric());
  return {
    observe: (method, route, status, seconds) => latency.observe(method, route, status, seconds),
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
