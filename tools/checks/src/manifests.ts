import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { workspaceRoot } from './source-files';

export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string>; annotations?: Record<string, string> };
  [field: string]: unknown;
}

/** What `kubectl apply -k` would send. Throws kubectl's own words, or where to get kubectl. */
export const render = (overlay: string): Manifest[] => {
  const { status, stdout, stderr, error } = spawnSync('kubectl', ['kustomize', join(workspaceRoot, 'k8s', overlay)], {
    encoding: 'utf8',
  });
  if (error)
    throw new Error(
      'kubectl is not on the PATH: it renders k8s/. Install it (https://kubernetes.io/docs/tasks/tools/; on Debian the package kubernetes-client).',
    );
  if (status !== 0) throw new Error(`k8s/${overlay} does not render:\n${stderr}`);
  return parseAllDocuments(stdout).map((document) => document.toJS() as Manifest);
};

const load = createRequire(__filename);

interface Model {
  prototype: { validate(this: unknown): void };
}

/** Where the schemas of an API group are. */
const schemasOf = (apiVersion: string): string =>
  apiVersion.startsWith('monitoring.coreos.com/') ? '@kubernetes-models/prometheus-operator' : 'kubernetes-models';

const modelOf = ({ apiVersion, kind }: Manifest): Model => {
  const models = load(`${schemasOf(apiVersion)}/${apiVersion}`) as Record<string, Model>;
  const model = models[kind];
  if (!model) throw new Error(`There is no ${kind} in ${apiVersion}.`);
  return model;
};

/**
 * The published schemas accept unknown fields, which Kubernetes would drop in silence. A validator never asks for a field that
 * its schema does not name, so what nobody asked for is unknown.
 */
const watched = (value: unknown, path: string, unread: Set<string>): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  const target = value as Record<string, unknown>;
  const copy: Record<string, unknown> = Array.isArray(value) ? ([] as unknown as Record<string, unknown>) : {};
  for (const key of Object.keys(target)) {
    const place = `${path}/${key}`;
    if (!Array.isArray(value)) unread.add(place);
    const child = watched(target[key], place, unread);
    Object.defineProperty(copy, key, {
      enumerable: true,
      get: () => {
        unread.delete(place);
        return child;
      },
    });
  }
  return copy;
};

/** Every way in which the manifest breaks the Kubernetes schema of its kind; empty when it keeps it. */
export const schemaProblems = (manifest: Manifest): string[] => {
  const unread = new Set<string>();
  try {
    // On the prototype: the constructor would copy, and so read, every field.
    modelOf(manifest).prototype.validate.call(watched(manifest, '', unread));
  } catch (error) {
    return [(error as Error).message];
  }
  return [...unread].map((place) => `${place} is no field of ${manifest.kind} in ${manifest.apiVersion}`);
};
