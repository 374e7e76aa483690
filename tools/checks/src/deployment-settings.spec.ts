import { ConfigurationError, loadConfig, type Settings } from '@platform/runtime';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { settingsOf } from './manifest-view';
import { render } from './manifests';
import { workspaceRoot } from './source-files';

const load = jest.requireActual;
const apps = readdirSync(join(workspaceRoot, 'apps')).filter((app) =>
  existsSync(join(workspaceRoot, 'apps', app, 'src/config.ts')),
);
const settings = (app: string): Settings =>
  load<{ settings: Settings }>(join(workspaceRoot, 'apps', app, 'src/config')).settings;

const problems = (app: string, environment: Record<string, string>): readonly string[] => {
  try {
    loadConfig(settings(app), environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
};

describe.each(apps)('%s', (app) => {
  let folder: string;
  let secrets: Record<string, string>;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'secrets-'));
    execFileSync(process.execPath, [join(workspaceRoot, 'docker/secrets.mjs'), 'postgres', folder]);
    const lines = readFileSync(join(folder, `${app}.env`), 'utf8')
      .trim()
      .split('\n');
    secrets = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('accepts the settings of docker/compose.yaml with the secrets made for it', () => {
    const text = readFileSync(join(workspaceRoot, 'docker/compose.yaml'), 'utf8').replace(/\$\{\w+:-([^}]*)\}/g, '$1');
    const { services } = parse(text, { merge: true }) as {
      services: Record<string, { environment: Record<string, string> }>;
    };
    expect(problems(app, { ...services[app]?.environment, ...secrets })).toEqual([]);
  });

  it.each(['overlays/dev', 'overlays/prod'])('accepts the settings of k8s/%s', (overlay) => {
    expect(problems(app, { ...settingsOf(render(overlay), app), ...secrets })).toEqual([]);
  });
});
