import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { render, type Manifest } from './manifests';
import { workspaceRoot } from './source-files';

const k8s = join(workspaceRoot, 'k8s');

/**
 * What an operator gets who puts an overlay of his own above `overlays/prod`: `kustomization` are its further fields, with
 * component paths as in k8s/. `prepare` may put files into its copies of the components first.
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
