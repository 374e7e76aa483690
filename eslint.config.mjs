// Lint is the written form of architecture sections 4 and 11. Types are checked by `tsc`, layout by prettier; neither runs here.
// tools/checks plants a violation of every boundary below and sees it caught.
import js from '@eslint/js';
import nx from '@nx/eslint-plugin';
import { readdirSync } from 'node:fs';
import tseslint from 'typescript-eslint';

/** Third-party package -> the one library that wraps it. Everybody else uses that library; `only` narrows it to some exports. */
export const owners = {
  pg: { lib: 'data', instead: 'openDatabase() of @platform/data' },
  redis: { lib: 'data', instead: 'openCache() of @platform/data' },
  typeorm: { lib: 'data', instead: 'openDatabase() of @platform/data', only: ['DataSource'] },
  winston: { lib: 'runtime', instead: 'the Logger of @platform/runtime' },
  express: { lib: 'http', instead: 'endpoint() and mount() of @platform/http' },
  multer: { lib: 'http', instead: 'the `files` of an endpoint() of @platform/http' },
  'socket.io': { lib: 'realtime', instead: 'the socket server of @platform/realtime' },
  '@socket.io/redis-streams-adapter': { lib: 'realtime', instead: 'the socket server of @platform/realtime' },
  jsonwebtoken: { lib: 'auth', instead: 'the guards and token functions of @platform/auth' },
  'graphile-worker': { lib: 'jobs', instead: 'the jobs of @platform/jobs' },
};

/** Source tag -> tags it may depend on. `type:platform-on-data` marks outbox, jobs and realtime: they may stand on @platform/data. */
export const allowedDependencies = {
  'type:app': ['type:platform*', 'type:contract', 'type:util', 'type:testing'],
  'type:platform': ['type:contract', 'type:util', 'type:testing'],
  'type:platform-on-data': ['scope:data', 'type:contract', 'type:util', 'type:testing'],
  'type:contract': ['type:util', 'type:testing'],
  'type:util': ['type:util', 'type:testing'],
  'type:testing': ['type:platform*', 'type:contract', 'type:util', 'type:testing', 'type:tool'],
  'type:tool': ['*'],
};

const folders = (parent) => readdirSync(new URL(`./${parent}`, import.meta.url));
const SPECS = ['**/*.spec.ts', '**/*.spec.tsx'];
/** What specs share: fixtures, suites that run on several implementations, processes that a test kills. */
const TEST_SUPPORT = [...SPECS, '**/*.fixture.ts', '**/*.contract.ts', '**/*.child.ts'];

const restriction = (name, { lib, instead, only }) =>
  only
    ? { name, importNames: only, allowTypeImports: true, message: `Only libs/${lib} opens it; use ${instead}.` }
    : { name, message: `Only libs/${lib} imports it; use ${instead}.` };

const ownedElsewhere = (lib) =>
  Object.entries(owners)
    .filter(([, owner]) => owner.lib !== lib)
    .map(([name, owner]) => restriction(name, owner));

const environmentReads = ['process', 'node:process'].map((name) => ({
  name,
  importNames: ['env', 'default'],
  message: 'Only libs/runtime/src/environment.ts reads the environment; take your settings as a parameter.',
}));

const testingOutsideSpecs = {
  name: '@platform/testing',
  message: 'Only *.spec.ts files and their fixtures import the test library.',
};
/** Its licence is for the network's own services, and it listens for every uncaught exception and reports crashes to the network. */
const clientForProofs = {
  name: 'facebook-nodejs-business-sdk',
  message: 'Only specs and fixtures run it, against the sandbox; services have the client of apps/ads-api/src/clients.',
};
const outsideSpecs = [testingOutsideSpecs, clientForProofs];
const serviceFrameworks = ['express', 'socket.io', 'typeorm'].map((name) => ({
  name,
  allowTypeImports: true,
  message: 'A service knows no framework (architecture section 4): keep it in endpoints, realtime or the repository.',
}));

/** Apps have no entry that could be imported, so Nx sees nothing to resolve: their names are refused outright. */
const apps = {
  group: folders('apps').flatMap((app) => [app, `${app}/**`]),
  message: 'Apps never import apps: talk over HTTP by a client, or move the code to a library.',
};

const fixtures = { group: ['**/*.fixture', '**/*.spec'], message: 'Only specs import what was made for specs.' };

/** Another feature is `../<feature>/<file>`; of commerce-api, whose areas hold features, `../<area>/<feature>/<file>`, from inside of one with `../` more. */
const throughPublic = {
  regex: String.raw`^\.\./(?!\.\./)[^/]+/(?!([^/]+/)?public$)`,
  message: 'A feature imports another one only through its public.ts: export there what it may use.',
};
const throughPublicOfAreas = { ...throughPublic, regex: String.raw`^\.\./\.\./[^./][^/]*/[^/]+/(?!public$)` };

const restrictImports = (files, paths, ignores = [], patterns = []) => ({
  files,
  ignores,
  rules: { 'no-restricted-imports': ['error', { paths, patterns: [apps, ...patterns] }] },
});

/** Two blocks per place, because a later block replaces an earlier list: specs may import the test library, sources may not. */
const importRules = (folder, lib) => {
  const paths = [...ownedElsewhere(lib), ...environmentReads];
  const sources = [`${folder}/**/*.ts`, `${folder}/**/*.tsx`];
  const features = [`${folder}/src/features/**/*.ts`, `${folder}/src/features/**/*.tsx`];
  const areas = ['apps/commerce-api/src/features/*/*/*.ts', 'apps/commerce-api/src/features/*/*/*.tsx'];
  const ofSource = [...paths, ...outsideSpecs];
  return [
    restrictImports(sources, [...paths, ...outsideSpecs], TEST_SUPPORT, [fixtures]),
    restrictImports(
      TEST_SUPPORT.map((spec) => `${folder}/${spec}`),
      paths,
    ),
    ...(lib
      ? []
      : [
          restrictImports(features, ofSource, TEST_SUPPORT, [fixtures, throughPublic]),
          restrictImports(areas, ofSource, TEST_SUPPORT, [fixtures, throughPublic, throughPublicOfAreas]),
        ]),
    restrictImports(
      [`${folder}/**/*.service.ts`],
      [
        ...paths.filter(({ name }) => !serviceFrameworks.some((each) => each.name === name)),
        ...outsideSpecs,
        ...serviceFrameworks,
      ],
      [],
      lib ? [] : [fixtures, throughPublic],
    ),
  ];
};

const libraries = folders('libs').filter((name) => name !== 'testing');

const constructorWithFive = {
  selector: "MethodDefinition[kind='constructor'] > FunctionExpression[params.length>4]",
  message: 'At most 4 constructor parameters: pass one object, or split the class.',
};
const unfinishedTest = {
  selector: 'MemberExpression[object.name=/^(it|test|describe)$/][property.name=/^(only|skip|todo)$/]',
  message: 'Every test runs: none is skipped, planned or run alone.',
};

/**
 * Half an emoji at the end of a text is refused by PostgreSQL. Syntax knows no types: a bound of 64 and more, or a named one,
 * is that of a text; lists are bounded by MAX_* and MOST_*, digests hold no emoji.
 */
const bounds = ['arguments.1.value>=64', 'arguments.1.name=/^(?!MAX_|MOST_)[A-Z][A-Z0-9_]*$/'];
const textCut = bounds.map((bound) => ({
  selector: `CallExpression[callee.property.name=/^(slice|substring|substr)$/][arguments.0.value=0][${bound}]:not([callee.object.callee.property.name='digest'])`,
  message: 'Cut texts by cut(text, codePoints) of @platform/runtime, which leaves no half of an emoji.',
}));

/** A limit of its own says how fast a machine has to be; what hangs ends by the one of jest.preset.cjs. */
const ownLimit = [
  'CallExpression[callee.name=/^(it|test)$/][arguments.length>2]',
  'CallExpression[callee.callee.object.name=/^(it|test)$/][callee.callee.property.name=/^(each|for)$/][arguments.length>2]',
  'CallExpression[callee.name=/^(before|after)(All|Each)$/][arguments.length>1]',
  'CallExpression[callee.object.name="jest"][callee.property.name="setTimeout"]',
].map((selector) => ({ selector, message: 'No test has a time limit of its own: await what it waits for.' }));

/** TypeScript checks no attribute with a hyphen. */
const literalHx = {
  selector: 'JSXAttribute[name.name=/^(data-)?hx-/]',
  message: 'Attributes of htmx come from hx() of web/ui/hx.ts, which knows their names.',
};

/** PostgreSQL may run such a subquery anew for every row, which it does where it takes a table for empty that is not. SQL is upper case here. */
const lockedAnew = ['Literal[value', 'TemplateElement[value.raw'].map((text) => ({
  selector: String.raw`${text}=/\bIN\s*[(]\s*SELECT\b([^()]|[(][^()]*[)])*\bFOR (NO KEY )?UPDATE/]`,
  message: 'Lock in a subquery that runs once: = ANY (ARRAY(SELECT ... FOR UPDATE)), by the key or by ctid.',
}));

const restrictedSyntax = [constructorWithFive, unfinishedTest, literalHx, ...ownLimit, ...lockedAnew];

/** What outlives its transaction in a session that a pooler then gives to the next client (ADR 33). SQL is upper case here. */
const ofSession = String.raw`SET\s+(?!LOCAL\b|CONSTRAINTS\b|TRANSACTION\b)[\w.]+\s*(=|TO\b)\s*(\S+\s*)?(;|$)|SET SESSION\b|(RESET|DISCARD|LISTEN|UNLISTEN)\s`;
const sessionState = [
  `Literal[value=/^\\s*(${ofSession})/]`,
  `TemplateElement:first-child[value.raw=/^\\s*(${ofSession})/]`,
  ...['Literal[value', 'TemplateElement[value.raw'].map(
    (text) => `${text}=/;\\s*(${ofSession})|pg_(try_)?advisory_(un)?lock|set_config[(][^)]*false/]`,
  ),
].map((selector) => ({
  selector,
  message:
    'Sessions belong to the pooler: SET LOCAL and pg_advisory_xact_lock inside tx(), listen(), or aside() for settings.',
}));
/** Places with a session of their own on the direct address. */
const OWN_SESSIONS = [
  ...['migrations', 'provision', 'postgres.listener', 'only.process'].map((name) => `libs/data/src/${name}.ts`),
  'libs/testing/src/database.ts',
];
const repositoryMade = {
  selector: 'NewExpression[callee.name=/Repository$/]',
  message: 'Only compositions make repositories: take it as a parameter; inside a transaction use repository.in(tx).',
};
/** Where the parts of an app are put together. */
const COMPOSITIONS = ['apps/*/src/app.ts', 'apps/*/src/**/*.composition.ts'];

export default tseslint.config(
  {
    ignores: [
      '**/node_modules/',
      '**/dist/',
      '**/.nx/',
      '**/.data/',
      '**/coverage/',
      '**/.test-results/',
      '**/.mutation/',
    ],
  },
  { linterOptions: { noInlineConfig: true } },
  js.configs.recommended,
  {
    files: ['**/*.cjs', '**/*.mjs', '**/*.js'],
    languageOptions: {
      globals: Object.fromEntries(
        [
          'require',
          'module',
          'process',
          'console',
          '__dirname',
          'URL',
          'Buffer',
          'setTimeout',
          'clearTimeout',
          'fetch',
        ].map((name) => [name, 'readonly']),
      ),
    },
  },
  { files: ['**/*.cjs'], languageOptions: { sourceType: 'commonjs' } },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.recommended],
    plugins: { '@nx': nx },
    languageOptions: {
      // Without these two the rule below would turn classes named only in decorated properties into type imports, and TypeORM would lose them.
      parserOptions: { emitDecoratorMetadata: true, experimentalDecorators: true },
    },
    rules: {
      'no-undef': 'off',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      // A switch over a closed union counts once: a case more makes nothing harder to read.
      complexity: ['error', { max: 15, variant: 'modified' }],
      'max-depth': ['error', 3],
      'max-lines': ['error', 300],
      'max-lines-per-function': ['error', { max: 40, skipBlankLines: true, skipComments: true }],
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: environmentReads[0].message },
      ],
      'no-restricted-syntax': ['error', ...restrictedSyntax],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      // What only the documentation shows, or only some requests need, is loaded when somebody asks for it
      '@typescript-eslint/no-require-imports': [
        'error',
        { allow: ['\\.answers\\.json$', '^pdfkit$', '^sharp$', '^@anthropic-ai/sdk$', '/open\\.bucket$'] },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      '@typescript-eslint/ban-ts-comment': [
        'error',
        { 'ts-expect-error': true, 'ts-ignore': true, 'ts-nocheck': true },
      ],
      '@typescript-eslint/no-unsafe-function-type': 'off', // TypeORM and class-validator name classes as Function
      '@nx/enforce-module-boundaries': [
        'error',
        {
          depConstraints: Object.entries(allowedDependencies).map(([sourceTag, onlyDependOnLibsWithTags]) => ({
            sourceTag,
            onlyDependOnLibsWithTags,
          })),
          // The suites of clients run in tools on the services themselves, and so do those of two services together. `importRules`
          // keeps apps and libraries from them.
          allow: folders('apps').flatMap((app) => [
            `${app}/src/clients/*`,
            `^${app}/src/.*\\.(fixture|contract|fake)$`,
          ]),
          // Specs of a library use the test library, which is built on that library; nothing else may form a circle.
          ignoredCircularDependencies: [['@platform/testing', '@platform/*']],
        },
      ],
    },
  },
  {
    files: ['apps/**/*.{ts,tsx}', 'libs/**/*.{ts,tsx}'],
    ignores: OWN_SESSIONS,
    rules: { 'no-restricted-syntax': ['error', ...restrictedSyntax, ...sessionState, ...textCut] },
  },
  {
    files: ['apps/*/src/**/*.{ts,tsx}'],
    // A repository may make its like: in(tx)
    ignores: [...COMPOSITIONS, ...TEST_SUPPORT, '**/*.repository.ts'],
    rules: { 'no-restricted-syntax': ['error', ...restrictedSyntax, ...sessionState, ...textCut, repositoryMade] },
  },
  { files: ['libs/runtime/src/environment.ts'], rules: { 'no-restricted-properties': 'off' } },
  { files: ['apps/*/src/app.ts'], rules: { 'max-lines': ['error', 80], 'max-lines-per-function': ['error', 80] } },
  { files: ['apps/*/src/main.ts'], rules: { 'max-lines': ['error', 15] } },
  // Declarations: endpoint objects, SQL texts.
  { files: ['**/*.endpoints.ts', '**/*.sql.ts', '**/migrations/*.ts'], rules: { 'max-lines-per-function': 'off' } },
  { files: SPECS, rules: { 'max-lines': ['error', 400], 'max-lines-per-function': 'off' } },
  {
    files: TEST_SUPPORT.flatMap((spec) => [`apps/${spec}`, `libs/${spec}`]),
    rules: { 'no-restricted-syntax': ['error', ...restrictedSyntax, ...sessionState] },
  },
  ...importRules('apps/*'),
  {
    files: ['tools/**/*.ts'],
    ignores: TEST_SUPPORT,
    rules: { 'no-restricted-imports': ['error', { paths: [clientForProofs] }] },
  },
  ...libraries.flatMap((lib) => importRules(`libs/${lib}`, lib)),
);
