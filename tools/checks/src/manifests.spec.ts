import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { plainEnvelope } from '@platform/envelopes';
import { publicGuard, startService, UPLOAD_ROOM_BYTES, type Service } from '@platform/http';
import { silentLogger } from '@platform/runtime';
import { named, ofKind, selects, settingsOf, type Ingress, type Policy, type Workload } from './manifest-view';
import { render, schemaProblems, type Manifest } from './manifests';
import { workspaceRoot } from './source-files';

const SERVICES = ['ads-api', 'bot-engine', 'chat-backend', 'commerce-api', 'store-auth', 'wa-gateway'];
const SECRET_NAME =
  /(SECRET|SECRETS|TOKEN|PASSWORD|PASSWD|_KEYS?|_DSN|DATABASE_URL|DATABASE_POOL_URL|REDIS_URL|SMTP_URL|SERVICE_CLIENTS)$/;
const names = (manifests: Manifest[]): string[] => manifests.map(({ metadata }) => metadata.name).sort();

describe.each(['overlays/dev', 'overlays/prod'])('k8s/%s', (overlay) => {
  let manifests: Manifest[];
  let pods: Workload[];
  beforeAll(() => {
    manifests = render(overlay);
    pods = [...ofKind<Workload>(manifests, 'Deployment'), ...ofKind<Workload>(manifests, 'Job')];
  });

  it('conforms to the Kubernetes schemas in every manifest', () => {
    expect(
      manifests.flatMap((each) =>
        schemaProblems(each).map((problem) => `${each.kind} ${each.metadata.name}: ${problem}`),
      ),
    ).toEqual([]);
  });

  it('puts everything in one namespace that enforces the restricted Pod Security Standard', () => {
    const [namespace] = ofKind(manifests, 'Namespace');
    expect(namespace?.metadata.labels).toEqual({ 'pod-security.kubernetes.io/enforce': 'restricted' });
    const elsewhere = manifests.filter(
      ({ kind, metadata }) => kind !== 'Namespace' && metadata.namespace !== namespace?.metadata.name,
    );
    expect(names(elsewhere)).toEqual([]);
  });

  it.each(['Deployment', 'Service', 'HorizontalPodAutoscaler', 'PodDisruptionBudget', 'ServiceAccount'])(
    'has one %s for each service',
    (kind) => {
      expect(names(ofKind(manifests, kind))).toEqual(SERVICES);
    },
  );

  it('has a migration Job and a network policy for each service, and denies all other traffic', () => {
    expect(names(ofKind(manifests, 'Job'))).toEqual(SERVICES.map((service) => `migrate-${service}`));
    const policies = ofKind<Policy>(manifests, 'NetworkPolicy');
    expect(names(policies)).toEqual(expect.arrayContaining([...SERVICES, 'default-deny']));
    expect(named(policies, 'default-deny').spec).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
  });

  it('runs no container as root, with a writable root file system or with privilege escalation', () => {
    for (const { spec } of pods) {
      expect(spec.template.spec.securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 10001,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      const { containers, initContainers = [] } = spec.template.spec;
      for (const { securityContext } of [...containers, ...initContainers])
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
    }
  });

  it('names an exact image of the service in every container, never `latest`', () => {
    for (const { spec } of pods)
      for (const { image } of spec.template.spec.containers)
        expect(image).toMatch(new RegExp(`/${spec.template.spec.serviceAccountName}:(?!latest$)[\\w.-]+$`));
  });

  it('requests CPU and memory, and limits memory', () => {
    for (const { spec } of pods)
      for (const { resources } of [...spec.template.spec.containers, ...(spec.template.spec.initContainers ?? [])])
        expect(resources).toEqual({
          requests: { cpu: expect.any(String), memory: expect.any(String) },
          limits: { memory: expect.any(String) },
        });
  });

  it('gives files that arrive more room than the service ever takes, or the pod would be taken away', () => {
    for (const { spec } of ofKind<Workload>(manifests, 'Deployment')) {
      const folder = spec.template.spec.volumes.find(({ name }) => name === 'tmp')?.emptyDir?.sizeLimit ?? '';
      expect(folder).toMatch(/^\d+Gi$/);
      expect(parseInt(folder, 10) * 1024 ** 3).toBeGreaterThan(UPLOAD_ROOM_BYTES);
    }
  });

  it('gives wa-gateway the memory of its MAX_DEVICES', () => {
    const { spec } = named(ofKind<Workload>(manifests, 'Deployment'), 'wa-gateway');
    const limit = spec.template.spec.containers[0]?.resources?.limits?.memory;
    const mebibytes = (Number(settingsOf(manifests, 'wa-gateway').MAX_DEVICES) * 3) / 2 + 200;
    // 1.5 MiB for a busy device and 200 for the process (k8s/README.md)
    expect([limit, mebibytes <= 1_024]).toEqual(['1Gi', true]);
  });

  it('takes every secret from the Secret of the service, none from a ConfigMap or a literal', () => {
    for (const { spec } of pods) {
      const { serviceAccountName, containers } = spec.template.spec;
      for (const { env = [], envFrom = [] } of containers) {
        expect(envFrom.flatMap(({ secretRef }) => secretRef ?? [])).toEqual([{ name: serviceAccountName }]);
        expect(env.filter(({ name, value }) => value || SECRET_NAME.test(name))).toEqual([]);
      }
    }
    const settings = ofKind(manifests, 'ConfigMap').flatMap(({ data }) => Object.keys(data as object));
    expect(settings.filter((name) => SECRET_NAME.test(name))).toEqual([]);
  });

  it('gives every container a ConfigMap of the same rendering', () => {
    const known = names(ofKind(manifests, 'ConfigMap'));
    for (const { spec } of pods)
      for (const { envFrom = [] } of spec.template.spec.containers)
        expect(known).toEqual(expect.arrayContaining(envFrom.flatMap(({ configMapRef }) => configMapRef?.name ?? [])));
  });

  it('probes readiness on /ready, and the other probes only the port', () => {
    for (const { spec } of ofKind<Workload>(manifests, 'Deployment'))
      for (const { startupProbe, readinessProbe, livenessProbe, ports } of spec.template.spec.containers) {
        expect(readinessProbe?.httpGet).toEqual({ path: '/ready', port: 'http' });
        // A pod that waits for its schema is not ready, and a restart would only prolong the wait
        expect([startupProbe?.tcpSocket, livenessProbe?.tcpSocket]).toEqual([{ port: 'http' }, { port: 'http' }]);
        expect(ports).toContainEqual({ name: 'http', containerPort: 3000 });
      }
  });

  it('leaves a stopping service its 10 seconds after preStop', () => {
    for (const { spec } of ofKind<Workload>(manifests, 'Deployment')) {
      const [container] = spec.template.spec.containers;
      const sleep = container?.lifecycle?.preStop?.sleep?.seconds ?? 0;
      expect(sleep).toBeGreaterThan(0);
      expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(sleep + 10);
    }
  });

  it.each(SERVICES)('points Service, autoscaler and disruption budget of %s at its server pods only', (service) => {
    const target = named(ofKind<Workload>(manifests, 'Deployment'), service);
    const selector = (named(ofKind(manifests, 'Service'), service).spec as { selector: Record<string, string> })
      .selector;
    const budget = named(ofKind<Workload>(manifests, 'PodDisruptionBudget'), service).spec.selector?.matchLabels ?? {};
    const autoscaler = named(ofKind(manifests, 'HorizontalPodAutoscaler'), service).spec as {
      scaleTargetRef: { kind: string; name: string };
    };
    expect(autoscaler.scaleTargetRef).toMatchObject({ kind: 'Deployment', name: service });
    for (const labels of [selector, budget, target.spec.selector?.matchLabels ?? {}]) {
      const selected = pods.filter(({ spec }) => selects({ matchLabels: labels }, spec.template.metadata.labels));
      expect(selected).toEqual([target]);
    }
  });

  it('admits every call that a setting names: the Service has the port, and the policy of the callee admits the caller', () => {
    const policies = ofKind<Policy>(manifests, 'NetworkPolicy');
    for (const caller of SERVICES)
      for (const value of Object.values(settingsOf(manifests, caller))) {
        const [, callee = '', port] = /^http:\/\/([\w-]+):(\d+)/.exec(value) ?? [];
        // Its own address is for links that it gives to others
        if (!callee || callee === caller) continue;
        const { ports } = named(ofKind(manifests, 'Service'), callee).spec as {
          ports: { name: string; port: number; targetPort: string }[];
        };
        const opened = ports.find((each) => each.port === Number(port));
        const labels = named(ofKind<Workload>(manifests, 'Deployment'), caller).spec.template.metadata.labels;
        const admitted = named(policies, callee).spec.ingress?.some(
          (rule) =>
            rule.ports?.some((each) => each.port === opened?.targetPort) &&
            rule.from?.some(({ podSelector }) => podSelector && selects(podSelector, labels)),
        );
        expect({ caller, value, admitted }).toEqual({ caller, value, admitted: true });
      }
  });
});

const sidecars = (overlay: string): string[] =>
  ofKind<Workload>(render(overlay), 'Deployment').flatMap(({ metadata, spec }) =>
    (spec.template.spec.initContainers ?? []).map(
      ({ name, image, restartPolicy }) => `${metadata.name}: ${name} ${image} ${restartPolicy}`,
    ),
  );

it('the sandbox of the ad network runs beside ads-api in the dev overlay, and nothing runs beside a service in production', () => {
  expect(sidecars('overlays/dev')).toEqual(['ads-api: sandbox-graph platform/sandbox-graph:dev Always']);
  expect(sidecars('overlays/prod')).toEqual([]);
  const { GRAPH_BASE_URL } = settingsOf(render('overlays/dev'), 'ads-api');
  expect(GRAPH_BASE_URL).toBe('http://127.0.0.1:3101');
});

describe('k8s/overlays/prod', () => {
  let manifests: Manifest[];
  beforeAll(() => {
    manifests = render('overlays/prod');
  });

  it('runs every service in production mode and keeps metrics off the public port', () => {
    for (const service of SERVICES)
      expect(settingsOf(manifests, service)).toMatchObject({ APP_ENV: 'production', METRICS_PORT: '9090' });
  });

  it.each(['store-auth', 'chat-backend', 'bot-engine', 'commerce-api'])(
    'admits siblings of %s to its internal port only, and the ingress to its public port only',
    (service) => {
      expect(settingsOf(manifests, service)).toMatchObject({ INTERNAL_PORT: '3100' });
      const rules = named(ofKind<Policy>(manifests, 'NetworkPolicy'), service).spec.ingress ?? [];
      expect(rules.map(({ from = [], ports }) => [from.map((each) => Object.keys(each)), ports])).toEqual([
        [[['podSelector']], [{ port: 'internal' }]],
        [[['namespaceSelector']], [{ port: 'http' }]],
      ]);
    },
  );

  it('guards the open variants, keeps sockets to their rooms and uses a real WhatsApp engine', () => {
    expect(settingsOf(manifests, 'chat-backend')).toMatchObject({ INTERNAL_GUARD: 'token' });
    expect(settingsOf(manifests, 'wa-gateway')).toMatchObject({
      REALTIME_SCOPE: 'room',
      WA_ENGINE: 'cloud',
      WEBHOOK_URL: 'http://chat-backend:3100/v1',
    });
  });

  it('opens the gateway, which has no authentication by contract, only to siblings and on two public paths', () => {
    const paths = ofKind<Ingress>(manifests, 'Ingress').flatMap(({ spec }) =>
      spec.rules.flatMap(({ http }) => http.paths),
    );
    expect(paths.filter(({ backend }) => backend.service.name === 'wa-gateway').map(({ path }) => path)).toEqual([
      '/webhook/cloud',
      '/files',
    ]);
    const [siblings] = named(ofKind<Policy>(manifests, 'NetworkPolicy'), 'wa-gateway').spec.ingress ?? [];
    expect(siblings?.from).toEqual([
      {
        podSelector: {
          matchExpressions: [
            {
              key: 'app.kubernetes.io/name',
              operator: 'In',
              values: ['chat-backend', 'commerce-api', 'bot-engine', 'wa-gateway'],
            },
          ],
        },
      },
    ]);
  });

  it('limits requests and connections of one client address at the ingress, with room for an office behind one', () => {
    const limits = ofKind<Ingress>(manifests, 'Ingress').map(({ metadata }) =>
      ['rps', 'connections'].map((name) => metadata.annotations?.[`nginx.ingress.kubernetes.io/limit-${name}`]),
    );
    expect(limits).toEqual([
      ['100', '500'],
      ['100', '500'],
    ]);
  });

  it('lets the largest file that a shop may upload through the ingress', () => {
    const text = readFileSync(
      join(workspaceRoot, 'apps/commerce-api/src/features/media/uploads/media.rules.ts'),
      'utf8',
    );
    const largest = Number(/LARGEST_FILE = (\d+) \* MEGABYTE/.exec(text)?.[1]);
    const { metadata } = named(ofKind<Ingress>(manifests, 'Ingress'), 'platform');
    const size = metadata.annotations?.['nginx.ingress.kubernetes.io/proxy-body-size'] ?? '';
    expect(Number(/^(\d+)m$/.exec(size)?.[1])).toBeGreaterThan(largest);
  });

  it('leads every host of a shop to commerce-api, below SHOP_DOMAIN with a certificate for all of them', () => {
    const { SHOP_DOMAIN } = settingsOf(manifests, 'commerce-api');
    const { spec } = named(ofKind<Ingress>(manifests, 'Ingress'), 'merchant-hosts');
    const backends = spec.rules.map(({ host, http }) => [
      host,
      ...http.paths.map(({ backend }) => backend.service.name),
    ]);
    expect(backends).toEqual([
      [`*.${SHOP_DOMAIN}`, 'commerce-api'],
      [undefined, 'commerce-api'],
    ]);
    expect(spec.tls?.flatMap(({ hosts }) => hosts)).toEqual([`*.${SHOP_DOMAIN}`]);
  });

  it('lets webhooks out at every port that they may be saved with', () => {
    const file = 'apps/commerce-api/src/features/outside/webhooks/hook.address.ts';
    const [, list = ''] = /PORTS = \[([\d, ]+)\]/.exec(readFileSync(join(workspaceRoot, file), 'utf8')) ?? [];
    const { egress = [] } = named(ofKind<Policy>(manifests, 'NetworkPolicy'), 'commerce-api').spec;
    const open = egress.flatMap(({ ports = [] }) => ports.map(({ port }) => port));
    expect(open).toEqual(expect.arrayContaining(list.split(',').map(Number)));
    expect(list).not.toBe('');
  });

  it('trusts X-Forwarded-For from the ingress only, so that clients are told apart', () => {
    for (const service of SERVICES)
      expect(settingsOf(manifests, service)).toMatchObject({ TRUST_PROXY: expect.stringMatching(/^[\d.]+\/\d+$/) });
  });

  it('opens a service on every path only where its internal routes have their own port', () => {
    const open = ofKind<Ingress>(manifests, 'Ingress').flatMap(({ spec }) =>
      spec.rules.flatMap(({ http }) => http.paths.filter(({ path }) => path === '/')),
    );
    const services = open.map(({ backend }) => backend.service.name);
    expect(new Set(services)).toEqual(new Set(['commerce-api']));
    for (const service of services) expect(settingsOf(manifests, service)).toMatchObject({ INTERNAL_PORT: '3100' });
  });

  it('exposes no internal route, and sends every public path to the public port of a Service', () => {
    const paths = ofKind<Ingress>(manifests, 'Ingress').flatMap(({ spec }) =>
      spec.rules.flatMap(({ http }) => http.paths),
    );
    expect(paths.filter(({ path }) => /internal|metrics|_admin|_crm|callback/.test(path))).toEqual([]);
    for (const { backend } of paths) {
      const { ports } = named(ofKind(manifests, 'Service'), backend.service.name).spec as { ports: { name: string }[] };
      expect(ports.map(({ name }) => name)).toContain(backend.service.port.name);
      expect(backend.service.port.name).toBe('http');
    }
  });

  it('mounts the certificate authority of the database in every pod, where there is one', () => {
    for (const kind of ['Deployment', 'Job'])
      for (const { spec } of ofKind<Workload>(manifests, kind)) {
        const { volumes, containers } = spec.template.spec;
        expect(volumes).toContainEqual({ name: 'database-ca', configMap: { name: 'database-ca', optional: true } });
        expect(containers.map(({ volumeMounts }) => volumeMounts)).toEqual([
          expect.arrayContaining([{ name: 'database-ca', mountPath: '/etc/database-ca', readOnly: true }]),
        ]);
      }
  });

  it('uses every persistent volume claim that it defines, and no other', () => {
    const claims = ofKind<Workload>(manifests, 'Deployment').flatMap(({ spec }) =>
      spec.template.spec.volumes.flatMap((each) => each.persistentVolumeClaim?.claimName ?? []),
    );
    expect(claims.sort()).toEqual(names(ofKind(manifests, 'PersistentVolumeClaim')));
  });
});

describe('probe paths of the manifests', () => {
  it.each(['/ready', '/health'])('%s is mounted by the HTTP library, so every service answers it', async (path) => {
    const guards = { public: publicGuard };
    const service: Service = {
      name: 'probe',
      description: '',
      endpoints: [],
      guards,
      envelope: plainEnvelope,
      components: [],
    };
    const running = await startService(service, { port: 0, host: '127.0.0.1', logger: silentLogger });
    const { status } = await fetch(running.url + path);
    await running.stop();
    expect(status).toBe(200);
  });
});

describe('the check against Kubernetes schemas (schemaProblems)', () => {
  const service = (spec: object): Manifest => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'planted' },
    spec,
  });

  it('accepts a correct manifest', () => {
    expect(schemaProblems(service({ selector: { any: 'label' }, ports: [{ name: 'http', port: 80 }] }))).toEqual([]);
  });

  it('names a field that the kind does not have', () => {
    expect(schemaProblems(service({ ports: [{ port: 80, tragetPort: 'http' }] }))).toEqual([
      '/spec/ports/0/tragetPort is no field of Service in v1',
    ]);
  });

  it('names a value of the wrong type and a missing field', () => {
    expect(schemaProblems(service({ ports: [{ name: 'http', port: 'eighty' }, { name: 'metrics' }] }))).toEqual([
      'data/spec/ports/0/port must be integer, data/spec/ports/1 must have required property port',
    ]);
  });
});
