import type { Metric, MetricValueWithName } from 'prom-client';

const NAME = 'http_request_duration_seconds';
const HELP = 'Requests by route template and status';
const BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

type Labels = Readonly<Record<string, string | number>>;
type Value = MetricValueWithName<string>;

/** Counts of one combination of labels: how many fell into each single bucket, the last one for anything slower. */
class Series {
  private readonly counts = new Float64Array(BUCKETS.length + 1);
  private sum = 0;

  constructor(private readonly labels: Labels) {}

  observe(seconds: number): void {
    let at = 0;
    while (at < BUCKETS.length && seconds > (BUCKETS[at] as number)) at += 1;
    this.counts[at] = (this.counts[at] as number) + 1;
    this.sum += seconds;
  }

  /** In Prometheus's cumulative form: each bucket includes the smaller ones. */
  values(): Value[] {
    let total = 0;
    const buckets = [...this.counts].map((count, at): Value => {
      total += count;
      return { metricName: `${NAME}_bucket`, labels: { ...this.labels, le: BUCKETS[at] ?? '+Inf' }, value: total };
    });
    return [
      ...buckets,
      { metricName: `${NAME}_sum`, labels: this.labels, value: this.sum },
      { metricName: `${NAME}_count`, labels: this.labels, value: total },
    ];
  }
}

const memberOf = <Key, Member>(map: Map<Key, Member>, key: Key, make: () => Member): Member => {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
};

/**
 * The histogram of request times. Every request is counted here, for which prom-client's own histogram takes several times
 * as long, because it builds and checks the labels each time; this one needs three lookups. Registered beside prom-client's
 * metrics and printed with them.
 */
export class LatencyTable {
  readonly name = NAME;
  private readonly routes = new Map<string, Map<string, Map<number, Series>>>();

  observe(method: string, route: string, status: number, seconds: number): void {
    const methods = memberOf(this.routes, route, () => new Map<string, Map<number, Series>>());
    const statuses = memberOf(methods, method, () => new Map<number, Series>());
    memberOf(statuses, status, () => new Series({ method, route, status })).observe(seconds);
  }

  /** What a registry of prom-client calls on its metrics. */
  async get() {
    const all = [...this.routes.values()].flatMap((methods) => [...methods.values()]);
    const values = all.flatMap((statuses) => [...statuses.values()]).flatMap((series) => series.values());
    return { name: NAME, help: HELP, type: 'histogram', aggregator: 'sum', values };
  }

  asMetric(): Metric {
    return this as unknown as Metric;
  }
}
