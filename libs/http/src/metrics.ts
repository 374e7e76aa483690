import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import { LatencyTable } from './latency-table';

/** A number that is read when somebody scrapes: a backlog, a pool's use. */
export interface GaugeSource {
  readonly name: string;
  readonly help: string;
  /** It only ever grows, and begins at 0 with the process. */
  readonly counts?: boolean;
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
    addGauge: ({ name, help, counts, read }) => {
      const options = { name, help, registers: [registry] };
      const collectGauge = async function (this: Gauge) {
        this.set(await read());
      };
      const collectCounter = async function (this: Counter) {
        this.reset();
        this.inc(await read());
      };
      if (counts) new Counter({ ...options, collect: collectCounter });
      else new Gauge({ ...options, collect: collectGauge });
    },
    render: () => registry.metrics(),
    contentType: registry.contentType,
  };
};
