import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exposedBy, type Exposed } from './exposed-metrics';
import { named, ofKind, type Policy, type Workload } from './manifest-view';
import { render, schemaProblems, type Manifest } from './manifests';
import { renderAbove } from './overlays';
import { readExpression } from './promql';
import { workspaceRoot } from './source-files';

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}
interface Rules extends Manifest {
  readonly spec: { readonly groups: readonly { readonly rules: readonly Alert[] }[] };
}
interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
}

const SERVICES = ['store-auth', 'chat-backend', 'bot-engine', 'wa-gateway', 'commerce-api', 'ads-api'];
/** What Prometheus adds to what it scrapes from a pod. */
const OF_TARGETS = ['namespace', 'pod', 'container', 'job', 'instance'];
const OF_PROCESSES = /^(process|nodejs)_/;
const HISTOGRAM = /_(bucket|sum|count)$/;

const manifests = renderAbove({ namespace: 'platform', components: ['components/monitoring'] });
const alerts = ofKind<Rules>(manifests, 'PrometheusRule').flatMap(({ spec }) =>
  spec.groups.flatMap(({ rules }) => rules),
);
const [dashboard] = Object.values(named(ofKind(manifests, 'ConfigMap'), 'platform-dashboard').data as object).map(
  (text: string) => JSON.parse(text) as Dashboard,
);
const panels = (dashboard?.panels ?? []).flatMap(({ title, targets }) => targets.map(({ expr }) => ({ title, expr })));
const guide = readFileSync(join(workspaceRoot, 'docs/alerts.md'), 'utf8');

const exposed = new Map<string, Exposed>();
beforeAll(async () => {
  const overlay = render('overlays/prod');
  for (const service of SERVICES) exposed.set(service, await exposedBy(service, overlay));
});

const labelsOf = (metric: string): string[] =>
  [...exposed.values()].flatMap((metrics) => [...(metrics.get(metric) ?? [])]);

/** What of an expression no service has: metrics, labels. */
const strangers = (text: string): string[] => {
  const { selectors, grouping } = readExpression(text);
  const known = [...OF_TARGETS, ...selectors.flatMap(({ metric }) => labelsOf(metric))];
  return [
    ...selectors.flatMap(({ metric, labels }) => {
      const has = labelsOf(metric);
      return has.length === 0 ? [metric] : labels.filter((label) => ![...has, ...OF_TARGETS].includes(label));
    }),
    ...grouping.filter((label) => !known.includes(label)),
  ];
};

describe('k8s/components/monitoring', () => {
  it('keeps the schemas of the Prometheus operator', () => {
    const own = manifests.filter(({ apiVersion }) => apiVersion.startsWith('monitoring.coreos.com/'));
    expect(own.map(({ kind }) => kind).sort()).toEqual(['PodMonitor', 'PrometheusRule']);
    expect(own.flatMap(schemaProblems)).toEqual([]);
  });

  it('scrapes every server pod at the port that is open for Prometheus alone', () => {
    const monitor = named(ofKind(manifests, 'PodMonitor'), 'platform').spec as {
      selector: { matchLabels: Record<string, string> };
      podMetricsEndpoints: { port: string }[];
    };
    const policy = named(ofKind<Policy>(manifests, 'NetworkPolicy'), 'metrics').spec as unknown as {
      podSelector: object;
      ingress: { ports: object[] }[];
    };
    expect(policy.podSelector).toEqual(monitor.selector);
    expect(policy.ingress.flatMap(({ ports }) => ports)).toEqual(
      monitor.podMetricsEndpoints.map(({ port }) => ({ port })),
    );
    for (const { spec } of ofKind<Workload>(manifests, 'Deployment')) {
      expect(spec.template.metadata.labels).toMatchObject(monitor.selector.matchLabels);
      expect(spec.template.spec.containers.flatMap(({ ports }) => ports)).toContainEqual({
        name: 'metrics',
        containerPort: 9090,
      });
    }
  });

  it('has a dashboard that Grafana finds by its label', () =>
    expect(named(ofKind(manifests, 'ConfigMap'), 'platform-dashboard').metadata.labels).toEqual({
      grafana_dashboard: '1',
    }));
});

describe('an alert', () => {
  it.each(alerts)('$alert asks for metrics and labels that a service has', ({ expr }) =>
    expect(strangers(expr)).toEqual([]),
  );

  it.each(alerts)('$alert says how urgent it is, and where docs/alerts.md tells what to do', (alert) => {
    const { labels, annotations } = alert;
    expect(['page', 'ticket']).toContain(labels.severity);
    expect(annotations).toEqual({
      summary: expect.stringMatching(/\w/),
      runbook: `docs/alerts.md#${alert.alert.toLowerCase()}`,
    });
  });

  it('about a service that is down exists for every service', () => {
    const { expr = '' } = alerts.find(({ alert }) => alert === 'ServiceDown') ?? {};
    const asked = [...expr.matchAll(/service="([\w-]+)"/g)].map(([, service]) => service);
    expect(asked).toEqual(SERVICES);
  });

  it('has a page in docs/alerts.md, in the order of the rules, and nothing else has', () => {
    const [, ...pages] = [...guide.matchAll(/^## (\w+)$/gm)].map(([, title]) => title);
    expect(pages).toEqual(alerts.map(({ alert }) => alert));
  });
});

describe('a panel of the dashboard', () => {
  it.each(panels)('$title asks for metrics and labels that a service has: $expr', ({ expr }) =>
    expect(strangers(expr)).toEqual([]),
  );
});

it('docs/alerts.md lists the metrics of our own with their labels and services, all of them', () => {
  const rows = [...guide.matchAll(/^\| `(\w+)` +\| ([^|]+?) +\| ([^|]+?) +\|/gm)];
  const listed = rows.map(([, name, labels = '', services = '']) => ({
    ...{ name, labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label) },
    services: services === 'all' ? SERVICES : [...services.matchAll(/`([\w-]+)`/g)].map(([, service]) => service),
  }));
  const own = [...new Set([...exposed.values()].flatMap((metrics) => [...metrics.keys()]))].filter(
    (name) => !OF_PROCESSES.test(name),
  );
  const families = [...new Set(own.map((name) => name.replace(HISTOGRAM, '')))];
  const real = families.map((name) => {
    const member = own.find((each) => each.replace(HISTOGRAM, '') === name && !each.endsWith('_bucket')) ?? name;
    return {
      ...{ name, labels: [...new Set(labelsOf(member))].filter((label) => label !== 'service') },
      services: SERVICES.filter((service) => exposed.get(service)?.has(member)),
    };
  });
  const byName = (one: { name?: string | undefined }, other: { name?: string | undefined }) =>
    (one.name ?? '').localeCompare(other.name ?? '');
  expect(listed.sort(byName)).toEqual(real.sort(byName));
});

describe('an expression', () => {
  it('that is not PromQL is refused', () => expect(() => readExpression('sum by (service (up)')).toThrow('not PromQL'));

  it('that asks for what no service has is reported: a metric, a label, a grouping', () => {
    expect(
      strangers('sum by (stor) (rate(http_request_duration_seconds_count{code="200"}[5m])) > outbox_deed'),
    ).toEqual(['code', 'outbox_deed', 'stor']);
  });
});
