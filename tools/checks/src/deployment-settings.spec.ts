import { secretBox } from '@platform/auth';
import { ConfigurationError, loadConfig, type Settings } from '@platform/runtime';
import { heapOptions } from '@platform/stack/heap';
import { SERVICES } from '@platform/stack/ports';
import { createPublicKey } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { inMadeSecrets, madeSecrets, productionSecrets, readEnvironment } from './made-secrets';
import { ofKind, settingsOf } from './manifest-view';
import { render, type Manifest } from './manifests';
import { renderAbove } from './overlays';
import { workspaceRoot } from './source-files';

const load = jest.requireActual;
const apps = readdirSync(join(workspaceRoot, 'apps')).filter((app) =>
  existsSync(join(workspaceRoot, 'apps', app, 'src/config.ts')),
);
const settings = (app: string): Settings =>
  load<{ settings: Settings }>(join(workspaceRoot, 'apps', app, 'src/config')).settings;

interface Rolled extends Manifest {
  readonly spec: { readonly replicas?: number; readonly strategy: { readonly type?: string } };
}

/** Whether settings go together. */
interface CheckedConfig {
  readonly checkConfig: (config: object) => void;
}

const composeSettings = (app: string): Record<string, string> | undefined => {
  const text = readFileSync(join(workspaceRoot, 'docker/compose.yaml'), 'utf8').replace(/\$\{\w+:-([^}]*)\}/g, '$1');
  const { services } = parse(text, { merge: true }) as {
    services: Record<string, { environment: Record<string, string> }>;
  };
  return services[app]?.environment;
};

const problems = (app: string, environment: Record<string, string>): readonly string[] => {
  try {
    const { checkConfig } = load<Partial<CheckedConfig>>(join(workspaceRoot, 'apps', app, 'src/config'));
    const config = loadConfig(settings(app), environment);
    checkConfig?.(config);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
};

/** Settings and secrets of what a service is going to do, which it does not read yet. */
const AHEAD: Readonly<Record<string, readonly string[]>> = {
  'commerce-api': ['INTERNAL_TOKEN'],
};

/** Names that the service does not know: whoever sets one believes that something happens. */
const unknown = (app: string, names: readonly string[]): string[] =>
  names.filter((name) => !(name in settings(app)) && name !== 'NODE_OPTIONS' && !AHEAD[app]?.includes(name));

/** The keys of each Secret, as the table in k8s/README.md lists them. */
const listedSecrets = (service: string): string[] => {
  const text = readFileSync(join(workspaceRoot, 'k8s/README.md'), 'utf8');
  const row = (name: string): string => new RegExp(`^\\| ${name} +\\|(.*)\\|$`, 'm').exec(text)?.[1] ?? '';
  const cells = `${row('every one')} ${row(`\`${service}\``)}`.replace(/\([^)]*\)/g, ''); // what stands in brackets is of others
  return [...cells.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name = '']) => name);
};

describe.each(apps)('%s', (app) => {
  const secrets = madeSecrets(app);

  it('knows every setting and secret that compose.yaml, secrets.mjs, the overlays and k8s/README.md give it', () => {
    const overlays = ['overlays/dev', 'overlays/prod'].flatMap((overlay) =>
      Object.keys(settingsOf(render(overlay), app)),
    );
    const given = [...Object.keys({ ...composeSettings(app), ...secrets }), ...overlays, ...listedSecrets(app)];
    expect(unknown(app, [...new Set(given)])).toEqual([]);
    expect((AHEAD[app] ?? []).filter((name) => name in settings(app) || !given.includes(name))).toEqual([]);
  });

  it('accepts the settings of docker/compose.yaml with the secrets made for it', () => {
    expect(problems(app, { ...composeSettings(app), ...secrets })).toEqual([]);
  });

  it('accepts the settings of a pooler, and reports those that are wrong', () => {
    const given = { ...composeSettings(app), ...secrets };
    const pooled = { DATABASE_POOL_URL: 'postgres://role:p@pooler:6432/platform', DB_PREPARED: 'off', DB_POOL: '20' };
    expect(problems(app, { ...given, ...pooled })).toEqual([]);
    expect(problems(app, { ...given, DATABASE_POOL_URL: 'pooler', DB_PREPARED: 'never', DB_POOL: '0' })).toEqual([
      'DATABASE_POOL_URL must be a PostgreSQL address (postgres://user:password@host:port/database)',
      'DB_PREPARED must be true or false',
      'DB_POOL must be a whole number from 1 to 200',
    ]);
  });

  it('accepts the settings of k8s/overlays/dev', () => {
    expect(problems(app, { ...settingsOf(render('overlays/dev'), app), ...secrets })).toEqual([]);
  });

  it('accepts the settings of k8s/overlays/prod, with accounts at third parties that are its own', () => {
    expect(problems(app, { ...settingsOf(render('overlays/prod'), app), ...productionSecrets(app) })).toEqual([]);
  });
});

/** What an image says for every service. */
const imageOptions = (): string | undefined =>
  /^ENV .*NODE_OPTIONS="(.*)"/m.exec(readFileSync(join(workspaceRoot, 'docker/Dockerfile'), 'utf8'))?.[1];

it.each(SERVICES)('%s has the same heap in a container, in a pod and by npm start', (app) => {
  const given = [
    composeSettings(app),
    ...['overlays/dev', 'overlays/prod'].map((each) => settingsOf(render(each), app)),
  ];
  const heaps = given.map((each) => each?.NODE_OPTIONS ?? imageOptions());
  expect(heaps).toEqual(given.map(() => heapOptions(app)));
});

it.each([
  ['store-auth', 'SIGNING_KEY_SECRET'],
  ['wa-gateway', 'WA_AUTH_KEY'],
  ['commerce-api', 'SHOP_SECRETS_KEY'],
  ['ads-api', 'ADS_TOKEN_KEYS'],
])('docker/secrets.mjs makes a key with which %s can seal: %s', (app, name) => {
  expect(Object.keys(secretBox(madeSecrets(app)[name] ?? '', { setting: name }))).toContain('seal');
});

it('docker/secrets.mjs tells ads-api the key with which commerce-api signs payment credits', () => {
  const [signer, verifier] = inMadeSecrets((folder) =>
    ['commerce-api', 'ads-api'].map((service) => readEnvironment(join(folder, `${service}.env`))),
  );
  const pem = Buffer.from(signer?.COMMERCE_CREDIT_KEY ?? '', 'base64');
  const issuer = Buffer.from(createPublicKey(pem).export({ type: 'spki', format: 'pem' })).toString('base64');
  expect(verifier?.PAYMENT_ISSUERS).toBe(`commerce-api=${issuer}`);
});

it("ads-api does not start in production with the sandbox's app, which docker/secrets.mjs writes", () => {
  const settings = settingsOf(render('overlays/prod'), 'ads-api');
  expect(problems('ads-api', { ...settings, ...madeSecrets('ads-api') })).toEqual([
    "SOCIAL_APP_ID must be an app of your own with ADS_UPSTREAM=live: 400550000000001 is the sandbox's",
  ]);
});

it.each(apps)('k8s/README.md lists every secret without which %s does not start in production', (app) => {
  const production = { APP_ENV: 'production' };
  const missing = problems(app, production).flatMap((problem) => /^(\w+) is missing/.exec(problem)?.[1] ?? []);
  const secrets = missing.filter((name) => settings(app)[name]?.secret === true);
  expect(secrets.filter((name) => !listedSecrets(app).includes(name))).toEqual([]);
});

it('k8s/components/bucket and its two secrets are all that commerce-api needs to keep its files there, and less is refused', () => {
  const above = renderAbove({ namespace: 'platform', components: ['components/bucket'] });
  const environment = { ...settingsOf(above, 'commerce-api'), ...productionSecrets('commerce-api') };
  const keys = { S3_ACCESS_KEY_ID: 'a key', S3_SECRET_ACCESS_KEY: 'its secret' };
  expect(unknown('commerce-api', Object.keys(environment))).toEqual([]);
  expect(problems('commerce-api', { ...environment, ...keys })).toEqual([]);
  expect(problems('commerce-api', environment).map((problem) => problem.split(' ')[0])).toEqual(Object.keys(keys));
  expect(Object.keys(keys).filter((name) => !listedSecrets('commerce-api').includes(name))).toEqual([]);
});

it('k8s/components/without-redis leaves one pod of each service, and ends the one of bot-engine before the next begins', () => {
  const manifests = renderAbove({ namespace: 'platform', components: ['components/without-redis'] });
  const deployments = ofKind<Rolled>(manifests, 'Deployment').map(({ metadata, spec }) => [
    ...[metadata.name, spec.replicas, spec.strategy.type ?? 'RollingUpdate'],
  ]);
  expect(ofKind(manifests, 'HorizontalPodAutoscaler')).toEqual([]);
  expect(deployments.toSorted()).toEqual(
    apps.toSorted().map((app) => [app, 1, app === 'bot-engine' ? 'Recreate' : 'RollingUpdate']),
  );
});

it('k8s/components/restore holds the sends of every service with the setting SENDS', () => {
  const manifests = renderAbove({ namespace: 'platform', components: ['components/restore'] });
  const held = apps.filter((app) => settingsOf(manifests, app).SENDS === 'held');
  expect(held).toEqual(apps.filter((app) => 'SENDS' in settings(app)));
  expect(held).toEqual(['ads-api', 'bot-engine', 'chat-backend', 'commerce-api', 'wa-gateway']);
});
