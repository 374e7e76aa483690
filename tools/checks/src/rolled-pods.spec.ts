import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ofKind, type Workload } from './manifest-view';
import type { Manifest } from './manifests';
import { renderAbove } from './overlays';
import { workspaceRoot } from './source-files';

const SECRETS = 'components/secrets';
const { secretGenerator } = parse(readFileSync(join(workspaceRoot, 'k8s', SECRETS, 'kustomization.yaml'), 'utf8')) as {
  secretGenerator: { name: string; envs: string[] }[];
};
const files = secretGenerator.flatMap(({ envs }) => envs);

/** As an overlay has them that makes its Secrets of files. */
const withSecrets = (change: (folder: string) => void = () => undefined): Manifest[] =>
  renderAbove({ namespace: 'platform', components: [SECRETS] }, (folder) => {
    for (const file of files) writeFileSync(join(folder, SECRETS, file), 'SECRET=1\n');
    change(join(folder, SECRETS));
  });

const templates = (manifests: Manifest[]): Map<string, string> =>
  new Map(
    ['Deployment', 'Job'].flatMap((kind) =>
      ofKind<Workload>(manifests, kind).map(({ metadata, spec }) => [metadata.name, JSON.stringify(spec.template)]),
    ),
  );

/** Workloads whose pods are others than before: Kubernetes replaces them. */
const rolled = (before: Manifest[], after: Manifest[]): string[] => {
  const now = templates(after);
  return [...templates(before)].flatMap(([name, template]) => (now.get(name) === template ? [] : [name])).sort();
};

describe('the pods of a service are replaced', () => {
  it('when one of its secrets changes, and of no other service', () => {
    const before = withSecrets();
    const after = withSecrets((folder) => appendFileSync(join(folder, 'chat-backend.env'), 'MORE=2\n'));
    expect(rolled(before, withSecrets())).toEqual([]);
    expect(rolled(before, after)).toEqual(['chat-backend', 'migrate-chat-backend']);
  });

  it('when one of its settings changes, and of no other service', () => {
    const changed = { name: 'bot-engine', behavior: 'merge', literals: ['LOG_LEVEL=debug'] };
    const after = renderAbove({ configMapGenerator: [changed] });
    expect(rolled(renderAbove({}), after)).toEqual(['bot-engine', 'migrate-bot-engine']);
  });

  it('by Reloader where its Secret is made by something else', () => {
    const annotations = ofKind<Workload>(renderAbove({}), 'Deployment').map(({ metadata }) => metadata.annotations);
    expect(annotations).toEqual(annotations.map(() => ({ 'reloader.stakater.com/auto': 'true' })));
  });
});

it('k8s/components/secrets takes the files that docker/secrets.mjs makes, one for each service', () => {
  const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
  try {
    execFileSync(process.execPath, [join(workspaceRoot, 'docker/secrets.mjs'), 'db.example.com', folder]);
    const made = readdirSync(folder).filter((file) => file !== 'postgres.env');
    expect([...files].sort()).toEqual(made.sort());
  } finally {
    rmSync(folder, { recursive: true });
  }
});
