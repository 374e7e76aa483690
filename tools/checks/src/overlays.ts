import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { render, type Manifest } from './manifests';
import { workspaceRoot } from './source-files';

const k8s = join(workspaceRoot, 'k8s');

/**
 * The manifests of an operator's own overlay on top of `overlays/prod`: `kustomization` is its further fields, with component
 * paths relative to k8s/. `prepare` may first add files to the copies of the components.
 */
export const renderAbove = (
  kustomization: { readonly components?: readonly string[]; readonly [field: string]: unknown },
  prepare: (folder: string) => void = () => undefined,
): Manifest[] => {
  const folder = mkdtempSync(join(tmpdir(), 'overlay-'));
  try {
    const { components = [], ...fields } = kustomization;
    for (const component of components) cpSync(join(k8s, component), join(folder, component), { recursive: true });
    prepare(folder);
    const resources = [relative(folder, join(k8s, 'overlays/prod'))];
    writeFileSync(join(folder, 'kustomization.yaml'), JSON.stringify({ ...fields, resources, components }));
    return render(relative(k8s, folder));
  } finally {
    rmSync(folder, { recursive: true });
  }
};
