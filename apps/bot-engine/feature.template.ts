/** What a generated feature of this service looks like; read by `npm run generate`, checked by tools/generators/src/generated.spec.ts. */
export const template = {
  port: 3,
  path: '/api/{{kebab}}',
  table: 'bot_{{many_snake}}',
  tenant: { value: 'storeId', column: 'store_id', type: 'text NOT NULL', word: 'store', of: 'storeOf(caller)' },
  composition: { file: 'app.ts', list: 'endpoints', elements: '...{{all}}Endpoints(database)' },
  endpoints: {
    imports: [
      "import type { Principal } from '@platform/auth';",
      "import { Forbidden } from '@platform/errors';",
      "import { cursorPage, dataOf, done, uuid, type Endpoint } from '@platform/http';",
      "import { Int, Text } from '@platform/validation';",
      "import { endpoint } from '{{up}}endpoint';",
    ],
    classes: `
/** The tenant comes from the token, never from the request. */
const storeOf = (caller: Principal): string => {
  if (caller.kind === 'token' && caller.claims.store_id !== '') return caller.claims.store_id;
  throw new Forbidden('a token of a store is needed');
};
`,
    refuses: "'forbidden'",
    list: { guard: 'jwt', reply: 'cursorPage({{One}}View)' },
    add: { guard: 'jwt', reply: 'dataOf({{One}}View)' },
    find: { guard: 'jwt', reply: 'dataOf({{One}}View)' },
    delete: { guard: 'jwt', reply: "done('{{one}} deleted')" },
  },
  spec: {
    imports: [
      "import { caller, testDatabase, type TestDatabase } from '@platform/testing';",
      "import { startBot, TABLES, tokenFor, type Bot } from '{{up}}app.fixture';",
    ],
    type: 'Bot',
    start: 'startBot({ DATABASE_URL: database.url })',
    declares: 'let database: TestDatabase;',
    setup: 'database = await testDatabase(TABLES);\n  ',
    cleanup: '\n  await database.stop?.();',
    tenants: ['string', "await tokenFor({ store: 'S1' })", "await tokenFor({ store: 'S2' })"],
    one: '{ status, body: { data: view } }',
    page: '{ status: 200, body: { data: views, meta: { next_cursor: next } } }',
    deleted: "{ status: 200, body: { message: '{{one}} deleted', data: null } }",
    missing: "{ status: 404, body: { statusCode: 404, message: '{{one}} not found' } }",
  },
  user: 'owner@toko-nusa.example',
};
