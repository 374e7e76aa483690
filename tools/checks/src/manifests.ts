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

/** The manifests that `kubectl apply -k` would send. Throws with kubectl's output, or with where to get kubectl. */
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
 * A copy that tracks which fields are read. The published schemas accept unknown fields, which Kubernetes would drop silently; a
 * validator never reads a field that its schema does not name, so a field that was not read is unknown.
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

/** Violations of the Kubernetes schema of the manifest's kind. */
export const schemaProblems = (manifest: Manifest): string[] => {
  const unread = new Set<string>();
  try {
    // Not through the constructor, which would copy, and so read, every field
    modelOf(manifest).prototype.validate.call(watched(manifest, '', unread));
  } catch (error) {
    return [(error as Error).message];
  }
  return [...unread].map((place) => `${place} is no field of ${manifest.kind} in ${manifest.apiVersion}`);
};
