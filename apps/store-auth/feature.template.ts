/** What a generated feature of this service looks like; read by `npm run generate`, checked by tools/generators/src/generated.spec.ts. */
export const template = {
  port: 1,
  path: '/api/{{kebab}}',
  table: '{{many_snake}}',
  tenant: { value: 'storeId', column: 'store_id', type: 'text NOT NULL', word: 'store' },
  composition: { file: 'endpoints.ts', list: 'createEndpoints', elements: '...{{all}}Endpoints(all.database)' },
  additions: [{ file: 'examples.spec.ts', list: 'OWN_SPECS', elements: "'{{path}}'" }],
  endpoints: {
    imports: [
      "import { Forbidden } from '@platform/errors';",
      "import { uuid, type Endpoint } from '@platform/http';",
      "import { Int, List, Nested, Text } from '@platform/validation';",
      "import { endpoint, type Callers } from '{{up}}endpoint';",
      "import { success, SuccessReply } from '{{up}}success';",
    ],
    classes: `
class {{One}}Reply extends SuccessReply {
  @Nested(() => {{One}}View) data!: {{One}}View;
}

class {{Many}}Page {
  @List(() => {{One}}View) items!: {{One}}View[];
  @Text({ nullable: true }) next_cursor!: string | null;
}

class {{Many}}Reply extends SuccessReply {
  @Nested(() => {{Many}}Page) data!: {{Many}}Page;
}

/** The tenant comes from the token, never from the request. */
const storeOf = ({ claims }: Callers['any']): string => {
  if (claims.store_id !== '') return claims.store_id;
  throw new Forbidden('token tidak milik toko');
};
`,
    refuses: "'forbidden'",
    list: {
      guard: 'any',
      reply: '{{Many}}Reply',
      handle: `async ({ caller, query }) => {
        const { rows: items, nextCursor: next_cursor } = await list{{Many}}(sql, storeOf(caller), query);
        return success('ok', { items: [...items], next_cursor });
      }`,
    },
    add: {
      guard: 'any',
      reply: '{{One}}Reply',
      handle: "async ({ caller, body }) => success('ok', await add{{One}}(sql, storeOf(caller), body.name))",
    },
    find: {
      guard: 'any',
      reply: '{{One}}Reply',
      handle: "async ({ caller, params }) => success('ok', await find{{One}}(sql, storeOf(caller), params.id))",
    },
    delete: {
      guard: 'any',
      reply: 'SuccessReply',
      handle: `async ({ caller, params }) => {
        await delete{{One}}(sql, storeOf(caller), params.id);
        return { status: 'success' as const, message: 'ok' };
      }`,
    },
  },
  spec: {
    imports: [
      "import { caller, testDatabase, type TestDatabase } from '@platform/testing';",
      "import { OWNER, PASSWORD, shop, startApp, type RunningApp } from '{{up}}app.fixture';",
      "import { migrations, SCHEMA } from '{{up}}data-source';",
    ],
    type: 'RunningApp',
    start: 'startApp(database.url)',
    declares: `let database: TestDatabase;
const other = { email: 'other@shop.example', password: PASSWORD };`,
    setup: 'database = await testDatabase({ schema: SCHEMA, migrations });\n  ',
    prepare: `
    await app.seed();
    await app.seed({
      store: { store_id: 'S2', nama: 'Toko Lain' },
      owner: { ...shop.owner, ...other, user_id: OWNER.user_id.replace(/1$/, '9') },
      agents: [],
    });`,
    cleanup: '\n  await database.stop?.();',
    tenants: ['string', '(await app.login()).token', '(await app.login(other)).token'],
    one: "{ status, body: { status: 'success', message: 'ok', data: view } }",
    page: "{ status: 200, body: { status: 'success', message: 'ok', data: { items: views, next_cursor: next } } }",
    deleted: "{ status: 200, body: { status: 'success', message: 'ok' } }",
    missing: "{ status: 404, body: { status: 'error', message: '{{one}} not found' } }",
  },
  user: 'owner@toko-nusa.example',
};
