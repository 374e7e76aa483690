import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import { inTime } from './in-time';
import { LatencyTable } from './latency-table';

/** More than one component is given to answer. */
const LIMIT_MS = 3_000;

/** A gauge that is read at each scrape: a backlog, a pool's usage. */
export interface GaugeSource {
  readonly name: string;
  readonly help: string;
  /** It only grows, and starts at 0 with the process. */
  readonly counts?: boolean;
  /** Name of the label that distinguishes several numbers of one gauge. */
  readonly label?: string;
  /** One number, or, by `label`, several. */
  read(): Promise<number | Readonly<Record<string, number>>> | number;
}

export interface Metrics {
  /** Records one finished request under its route template; path values never become labels. */
  observe(method: string, route: string, status: number, seconds: number): void;
  /** One that cannot be read in time has no value at that scrape. */
  addGauge(source: GaugeSource): void;
  /** Prometheus text. */
  render(): Promise<string>;
  readonly contentType: string;
}

const valuesOf = (
  label: string | undefined,
  read: number | Readonly<Record<string, number>> = {},
): [Record<string, string>, number][] => {
  if (typeof read === 'number') return [[{}, read]];
  return Object.entries(read).map(([name, value]) => [label ? { [label]: name } : {}, value]);
};

/** Metrics of one service: request counts and latency by route and status, event-loop lag, memory, and added gauges. */
export const createMetrics = (service: string): Metrics => {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  const latency = new LatencyTable();
  registry.registerMetric(latency.asMetric());
  return {
    observe: (method, route, status, seconds) => latency.observe(method, route, status, seconds),
    addGauge: ({ name, help, counts, label, read }) => {
      const options = { name, help, registers: [registry], labelNames: label ? [label] : [] };
      const fresh = async (metric: Gauge | Counter) => {
        const values = valuesOf(label, await inTime(read, LIMIT_MS));
        metric.reset();
        if (label === undefined) metric.remove(); // or what cannot be read would be 0
        return values;
      };
      const collectGauge = async function (this: Gauge) {
        for (const [labels, value] of await fresh(this)) this.set(labels, value);
      };
      const collectCounter = async function (this: Counter) {
        for (const [labels, value] of await fresh(this)) this.inc(labels, value);
      };
      if (counts) new Counter({ ...options, collect: collectCounter });
      else new Gauge({ ...options, collect: collectGauge });
    },
    render: () => registry.metrics(),
    contentType: registry.contentType,
  };
};
