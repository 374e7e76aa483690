import { environment } from '@platform/runtime';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Planted } from './planted.lint';

const root = join(__dirname, '../../..');

interface Violation extends Planted {
  name: string;
  caught: RegExp;
}

const boundary = (text: string): RegExp => new RegExp(`^@nx/enforce-module-boundaries: .*${text}`);
const restricted = (text: string): RegExp => new RegExp(`^no-restricted-imports: .*${text}`);

const violations: Violation[] = [
  {
    name: 'an app that imports another app',
    file: 'apps/chat-backend/src/planted.ts',
    code: "import { createApp } from 'store-auth';\nexport const planted = createApp;\n",
    caught: restricted('Apps never import apps'),
  },
  {
    name: 'an app that imports another app by path',
    file: 'apps/chat-backend/src/planted.ts',
    code: "import { createApp } from '../../store-auth/src/app';\nexport const planted = createApp;\n",
    caught: boundary('relative or absolute path'),
  },
  {
    name: 'an app that imports a client of another app, as tools may',
    file: 'apps/chat-backend/src/planted.ts',
    code: "import { commerceStock } from 'store-auth/src/clients/commerce.client';\nexport const planted = commerceStock;\n",
    caught: restricted('Apps never import apps'),
  },
  {
    name: 'a platform library that imports another platform library',
    file: 'libs/http/src/planted.ts',
    code: "import { jwtGuard } from '@platform/auth';\nexport const planted = jwtGuard;\n",
    caught: boundary('tagged with "type:platform"'),
  },
  {
    name: 'a platform library other than outbox, jobs and realtime that imports data',
    file: 'libs/auth/src/planted.ts',
    code: "import { openDatabase } from '@platform/data';\nexport const planted = openDatabase;\n",
    caught: boundary('tagged with "type:platform"'),
  },
  {
    name: 'an outbox that imports http',
    file: 'libs/outbox/src/planted.ts',
    code: "import { endpoint } from '@platform/http';\nexport const planted = endpoint;\n",
    caught: boundary('tagged with "type:platform-on-data"'),
  },
  {
    name: 'a contract library that imports a platform library',
    file: 'libs/envelopes/src/planted.ts',
    code: "import { jwtGuard } from '@platform/auth';\nexport const planted = jwtGuard;\n",
    caught: boundary('(Circular dependency|tagged with "type:contract")'),
  },
  {
    name: 'a util library that imports a contract library',
    file: 'libs/validation/src/planted.ts',
    code: "import { envelope } from '@platform/envelopes';\nexport const planted = envelope;\n",
    caught: boundary('(Circular dependency|tagged with "type:util")'),
  },
  {
    name: 'an app that imports a tool',
    file: 'apps/chat-backend/src/planted.ts',
    code: "import { startCluster } from '@platform/postgres';\nexport const planted = startCluster;\n",
    caught: boundary('tagged with "type:app"'),
  },
  ...['pg', 'redis', 'winston', 'socket.io', 'jsonwebtoken', 'multer', 'express', 'graphile-worker'].map((owned) => ({
    name: `an app that imports ${owned}`,
    file: 'apps/chat-backend/src/features/inbox/planted.ts',
    code: `import owned from '${owned}';\nexport const planted = owned;\n`,
    caught: restricted('Only libs/'),
  })),
  {
    name: 'a library that imports what another library owns',
    file: 'libs/realtime/src/planted.ts',
    code: "import { verify } from 'jsonwebtoken';\nexport const planted = verify;\n",
    caught: restricted('Only libs/auth'),
  },
  {
    name: 'an app that opens a TypeORM DataSource',
    file: 'apps/chat-backend/src/features/inbox/planted.ts',
    code: "import { DataSource } from 'typeorm';\nexport const planted = new DataSource({ type: 'postgres' });\n",
    caught: restricted('Only libs/data'),
  },
  ...['express', 'socket.io', 'typeorm'].map((framework) => ({
    name: `a service that imports ${framework}`,
    file: 'apps/chat-backend/src/features/inbox/planted.service.ts',
    code: `import { Router } from '${framework}';\nexport const planted = Router;\n`,
    caught: restricted('A service knows no framework'),
  })),
  {
    name: 'a source file that imports the test library',
    file: 'apps/chat-backend/src/features/inbox/planted.ts',
    code: "import { startApp } from '@platform/testing';\nexport const planted = startApp;\n",
    caught: restricted('Only \\*\\.spec\\.ts'),
  },
  ...['apps/ads-api/src/clients/planted.ts', 'tools/bench/src/planted.ts'].map((file) => ({
    name: `${file}, which imports the SDK that only proofs run`,
    file,
    code: "import { AdAccount } from 'facebook-nodejs-business-sdk';\nexport const planted = AdAccount;\n",
    caught: restricted('Only specs and fixtures run it'),
  })),
  {
    name: 'a source file that imports a fixture',
    file: 'libs/outbox/src/planted.ts',
    code: "import { lanes } from './outbox.fixture';\nexport const planted = lanes;\n",
    caught: restricted('Only specs import'),
  },
  {
    name: 'process.env outside libs/runtime/src/environment.ts',
    file: 'libs/runtime/src/planted.ts',
    code: 'export const planted = process.env.PORT;\n',
    caught: /^no-restricted-properties: .*Only libs\/runtime\/src\/environment\.ts/,
  },
  {
    name: 'an environment destructured from process',
    file: 'apps/chat-backend/src/planted.ts',
    code: 'export const { env: planted } = process;\n',
    caught: /^no-restricted-properties: .*Only libs\/runtime\/src\/environment\.ts/,
  },
  {
    name: 'an environment imported from node:process',
    file: 'apps/chat-backend/src/planted.ts',
    code: "import { env } from 'node:process';\nexport const planted = env.PORT;\n",
    caught: restricted('Only libs/runtime/src/environment.ts'),
  },
  {
    name: 'a type imported as a value',
    file: 'apps/chat-backend/src/planted.ts',
    code: "import { Row } from './row';\nexport const planted = (row: Row): Row => row;\n",
    caught: /^@typescript-eslint\/consistent-type-imports/,
  },
  {
    name: 'a suppression by comment',
    file: 'apps/chat-backend/src/planted.ts',
    code: `// eslint-${'disable'}-next-line @typescript-eslint/no-explicit-any\nexport const planted = (value: any): unknown => value;\n`,
    caught: /^@typescript-eslint\/no-explicit-any/,
  },
  {
    name: 'a skipped test',
    file: 'apps/chat-backend/src/planted.spec.ts',
    code: `it.${'skip'}('answers', () => undefined);\n`,
    caught: /^no-restricted-syntax: Every test runs/,
  },
  {
    name: 'a constructor with five parameters',
    file: 'apps/chat-backend/src/planted.ts',
    code: 'export class Planted {\n  constructor(readonly a: 1, readonly b: 2, readonly c: 3, readonly d: 4, readonly e: 5) {}\n}\n',
    caught: /^no-restricted-syntax: At most 4 constructor parameters/,
  },
  ...['inbox/planted.ts', 'inbox/planted.service.ts'].map((file) => ({
    name: `a feature that reaches into another one (${file})`,
    file: `apps/chat-backend/src/features/${file}`,
    code: "import { refusals } from '../tenancy/refusals';\nexport const planted = refusals;\n",
    caught: restricted('only through its public.ts'),
  })),
  {
    name: 'a feature that reaches into one of another area',
    file: 'apps/commerce-api/src/features/catalogue/products/planted.ts',
    code: "import { AuthService } from '../../identity/auth/auth.service';\nexport const planted = AuthService;\n",
    caught: restricted('only through its public.ts'),
  },
  {
    name: 'a service that makes a repository',
    file: 'apps/chat-backend/src/features/inbox/planted.service.ts',
    code: "import { PlantedRepository } from './planted.repository';\nexport const planted = new PlantedRepository();\n",
    caught: /^no-restricted-syntax: Only compositions make repositories/,
  },
  {
    name: 'a file of 301 lines',
    file: 'apps/chat-backend/src/planted.ts',
    code: `export const planted = 1;\n${'//\n'.repeat(300)}`,
    caught: /^max-lines: /,
  },
  {
    name: 'a function of 41 lines',
    file: 'apps/chat-backend/src/planted.ts',
    code: `export const planted = (): void => {\n${'  void 0;\n'.repeat(39)}};\n`,
    caught: /^max-lines-per-function: /,
  },
  ...[
    "'SET statement_timeout = 0'",
    "'SET search_path TO other'",
    "'SELECT 1; SET work_mem = 4;'",
    '`SET work_mem = ${1}`',
    `"SELECT set_config('work_mem', '4', false)"`,
    "'RESET statement_timeout'",
    "'LISTEN news'",
    '`SELECT pg_advisory_lock(${1})`',
    "'SELECT pg_try_advisory_lock(1)'",
  ].map((sql) => ({
    name: `session state that outlives its transaction: ${sql}`,
    file: 'apps/chat-backend/src/features/inbox/planted.repository.ts',
    code: `export const planted = (sql: { query(text: string): Promise<unknown> }) => sql.query(${sql});\n`,
    caught: /^no-restricted-syntax: Sessions belong to the pooler/,
  })),
  ...[
    'text.slice(0, 200)',
    'text.substring(0, PREVIEW_LIMIT)',
    'text?.slice(0, LONGEST)',
    '(text ?? "").substr(0, 64)',
  ].map((code) => ({
    name: `a cut that may split an emoji: ${code}`,
    file: 'apps/chat-backend/src/features/inbox/planted.ts',
    code: `const [PREVIEW_LIMIT, LONGEST] = [1, 2];\nexport const planted = (text: string) => [PREVIEW_LIMIT, LONGEST, ${code}];\n`,
    caught: /^no-restricted-syntax: Cut texts by cut\(text, codePoints\)/,
  })),
  {
    name: 'a subquery that locks, and may be run for every row',
    file: 'apps/chat-backend/src/features/inbox/planted.sql.ts',
    code: `export const PLANTED = 'DELETE FROM a WHERE id ${'IN'} (SELECT id FROM a WHERE n < coalesce($1, 0) ORDER BY id FOR UPDATE SKIP LOCKED)';\n`,
    caught: /^no-restricted-syntax: Lock in a subquery that runs once/,
  },
  {
    name: 'an attribute of htmx that is written out, and misspelt',
    file: 'apps/commerce-api/src/features/sales/coupons/planted.view.tsx',
    code: 'export const Planted = () => <a href="/coupons" hx-gte="/coupons" />;\n',
    caught: /^no-restricted-syntax: Attributes of htmx come from hx\(\)/,
  },
  ...[
    "it('ends', () => expect(1).toBe(1), 90_000);",
    "it.each([1])('ends %i', (n) => expect(n).toBe(1), 90_000);",
    "beforeAll(() => undefined, 90_000);\nit('ends', () => expect(1).toBe(1));",
    "jest.setTimeout(90_000);\nit('ends', () => expect(1).toBe(1));",
  ].map((code) => ({
    name: `a test with a time limit of its own: ${code.split('(')[0]}`,
    file: 'apps/chat-backend/src/features/inbox/planted.spec.ts',
    code: `${code}\n`,
    caught: /^no-restricted-syntax: No test has a time limit of its own/,
  })),
];

const allowed: (Planted & { name: string })[] = [
  {
    name: 'an app that imports libraries and TypeORM decorators',
    file: 'apps/chat-backend/src/features/inbox/planted.entity.ts',
    code: "import { NotFound } from '@platform/errors';\nimport { Entity, type DataSource } from 'typeorm';\nexport const planted = [NotFound, Entity];\nexport type Source = DataSource;\n",
  },
  {
    name: 'a jobs library that imports data',
    file: 'libs/jobs/src/planted.ts',
    code: "import { openDatabase } from '@platform/data';\nexport const planted = openDatabase;\n",
  },
  {
    name: 'a library that imports what it owns',
    file: 'libs/auth/src/planted.ts',
    code: "import { verify } from 'jsonwebtoken';\nexport const planted = verify;\n",
  },
  {
    name: 'a service that imports a type of TypeORM',
    file: 'apps/chat-backend/src/features/inbox/planted.service.ts',
    code: "import type { EntityManager } from 'typeorm';\nexport const planted = (entities: EntityManager): EntityManager => entities;\n",
  },
  {
    name: 'a feature that imports another one by its public.ts, and a file of its app',
    file: 'apps/chat-backend/src/features/inbox/planted.ts',
    code: "import { endpoint } from '../../endpoint';\nimport { refusals } from '../tenancy/public';\nexport const planted = [endpoint, refusals];\n",
  },
  {
    name: 'a repository that makes another of its class for a transaction',
    file: 'apps/chat-backend/src/features/inbox/planted.repository.ts',
    code: 'export class PlantedRepository {\n  in(): PlantedRepository {\n    return new PlantedRepository();\n  }\n}\n',
  },
  {
    name: 'a spec of a library that imports the test library',
    file: 'libs/http/src/planted.spec.ts',
    code: "import { startApp } from '@platform/testing';\nit('answers', () => expect(startApp).toBeDefined());\n",
  },
  {
    name: 'a spec that runs the SDK',
    file: 'tools/sandboxes/graph/src/planted.spec.ts',
    code: "import { AdAccount } from 'facebook-nodejs-business-sdk';\nit('reads', () => expect(AdAccount).toBeDefined());\n",
  },
  {
    name: 'a slice of a list, of a digest and of a date',
    file: 'apps/chat-backend/src/features/inbox/planted.ts',
    code: "import { createHash } from 'node:crypto';\nconst MAX_ROWS = 3;\nexport const planted = (rows: string[], limit: number) => [rows.slice(0, limit), rows.slice(0, MAX_ROWS), createHash('sha512').digest('hex').slice(0, 64), new Date().toISOString().slice(0, 10)];\n",
  },
  {
    name: 'session state that ends with its transaction',
    file: 'apps/chat-backend/src/features/inbox/planted.repository.ts',
    code: "export const planted = ['SET LOCAL work_mem = 4', 'SELECT pg_advisory_xact_lock(1)', 'UPDATE a SET b = 1', 'SET b = 1 WHERE c'];\n",
  },
];

const lint = (planted: Planted[]): string[][] => {
  const child = spawnSync(process.execPath, ['-r', './tools/swc-hook.cjs', 'tools/checks/src/planted.lint.ts'], {
    cwd: root,
    encoding: 'utf8',
    input: JSON.stringify(planted.map(({ file, code }) => ({ file, code }))),
    env: { ...environment, NX_DAEMON: 'false', NX_ISOLATE_PLUGINS: 'false' },
  });
  if (child.status !== 0) throw new Error(`ESLint did not run:\n${child.stderr}`);
  return JSON.parse(child.stdout) as string[][];
};

describe('lint of boundaries', () => {
  let reports: string[][];
  beforeAll(() => {
    reports = lint([...violations, ...allowed]);
  });

  it.each(violations.map((violation, index) => ({ ...violation, index })))('catches $name', ({ caught, index }) => {
    expect(reports[index]).toContainEqual(expect.stringMatching(caught));
  });

  it.each(allowed.map((each, index) => ({ name: each.name, index: violations.length + index })))(
    'allows $name',
    ({ index }) => {
      expect(reports[index]).toEqual([]);
    },
  );
});
