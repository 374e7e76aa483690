import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** The parts of a Kubernetes Ingress that the balancer of a run applies. */
export interface Ingress {
  /** As nginx writes sizes, `110m`. */
  readonly bodySize: string;
  /** Seconds. */
  readonly readTimeout: string;
  readonly rules: readonly {
    readonly host: string;
    readonly paths: readonly { readonly path: string; readonly exact: boolean; readonly service: string }[];
  }[];
}

interface Manifest {
  readonly metadata: { readonly annotations: Readonly<Record<string, string>> };
  readonly spec: {
    readonly rules: readonly {
      readonly host: string;
      readonly http: {
        readonly paths: readonly {
          readonly path: string;
          readonly pathType: string;
          readonly backend: { readonly service: { readonly name: string } };
        }[];
      };
    }[];
  };
}

const ANNOTATION = 'nginx.ingress.kubernetes.io/';

export const ingressFrom = (text: string): Ingress => {
  const { metadata, spec } = parse(text) as Manifest;
  const annotation = (name: string): string => {
    const value = metadata.annotations[`${ANNOTATION}${name}`];
    if (value === undefined) throw new Error(`the ingress has no annotation ${ANNOTATION}${name}`);
    return value;
  };
  return {
    bodySize: annotation('proxy-body-size'),
    readTimeout: annotation('proxy-read-timeout'),
    rules: spec.rules.map(({ host, http }) => ({
      host,
      paths: http.paths.map(({ path, pathType, backend }) => ({
        path,
        exact: pathType === 'Exact',
        service: backend.service.name,
      })),
    })),
  };
};

/** The ingress of the production overlay, as shipped. */
export const shippedIngress = (): Ingress =>
  ingressFrom(readFileSync(join(__dirname, '../../../k8s/overlays/prod/ingress.yaml'), 'utf8'));
