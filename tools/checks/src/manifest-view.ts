import type { Manifest } from './manifests';

/** The parts of a pod that the platform has rules for. */
export interface Container {
  name: string;
  image: string;
  env?: { name: string; value?: string }[];
  envFrom?: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  ports?: { name: string; containerPort: number }[];
  securityContext?: Record<string, unknown>;
  volumeMounts?: { name: string; mountPath: string; readOnly?: boolean }[];
  lifecycle?: { preStop?: { sleep?: { seconds: number } } };
  resources?: { requests?: Record<string, string>; limits?: Record<string, string> };
  [probe: `${string}Probe`]: { httpGet?: { path: string; port: string }; tcpSocket?: { port: string } };
}
export interface Pod {
  metadata: { labels: Record<string, string> };
  spec: {
    serviceAccountName: string;
    terminationGracePeriodSeconds?: number;
    securityContext: Record<string, unknown>;
    containers: Container[];
    /** Sidecars, where they restart always. */
    initContainers?: (Container & { restartPolicy?: string })[];
    volumes: { name: string; persistentVolumeClaim?: { claimName: string }; emptyDir?: { sizeLimit?: string } }[];
  };
}
export interface Workload extends Manifest {
  spec: { selector?: { matchLabels: Record<string, string> }; template: Pod };
}
export interface Selector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values: string[] }[];
}
export interface Policy extends Manifest {
  spec: {
    podSelector: Selector;
    policyTypes: string[];
    ingress?: {
      from?: { podSelector?: Selector; namespaceSelector?: Selector }[];
      ports?: { port: string | number }[];
    }[];
    egress?: { ports?: { port: string | number }[] }[];
  };
}
export interface Ingress extends Manifest {
  spec: {
    tls?: { hosts: string[] }[];
    rules: {
      /** None: every other host. */
      host?: string;
      http: { paths: { path: string; backend: { service: { name: string; port: { name: string } } } }[] };
    }[];
  };
}

export const ofKind = <T extends Manifest = Manifest>(manifests: Manifest[], kind: string): T[] =>
  manifests.filter((each): each is T => each.kind === kind);

export const named = <T extends Manifest>(manifests: T[], name: string): T => {
  const found = manifests.find(({ metadata }) => metadata.name === name);
  if (!found)
    throw new Error(`There is no ${name} among ${manifests.map(({ metadata }) => metadata.name).join(', ')}.`);
  return found;
};

export const selects = (
  { matchLabels = {}, matchExpressions = [] }: Selector,
  labels: Record<string, string>,
): boolean =>
  Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
  matchExpressions.every(({ key, operator, values }) => operator === 'In' && values.includes(labels[key] ?? ''));

/** The settings that a service gets from its ConfigMap, whose name carries a hash of its content. */
export const settingsOf = (manifests: Manifest[], service: string): Record<string, string> => {
  const deployment = named(ofKind<Workload>(manifests, 'Deployment'), service);
  const [container] = deployment.spec.template.spec.containers;
  const reference = container?.envFrom?.find(({ configMapRef }) => configMapRef)?.configMapRef?.name ?? '';
  return named(ofKind(manifests, 'ConfigMap'), reference).data as Record<string, string>;
};
