/** What a generated feature of this service looks like; read by `npm run generate`, checked by tools/generators/src/generated.spec.ts. */
export const template = {
  port: 5,
  path: '/api/{{kebab}}',
  table: '{{one_snake}}',
  tenant: {
    value: 'storeId',
    column: 'store_id',
    type: 'varchar(36) NOT NULL REFERENCES store',
    word: 'store',
    of: 'caller.storeId',
  },
  areas: true,
  composition: {
    file: 'features/{{area}}/{{area}}.composition.ts',
    list: 'endpoints',
    elements: '...{{all}}Endpoints(database)',
  },
  additions: [
    {
      file: 'features/{{area}}/{{area}}.abilities.ts',
      list: '{{area}}Abilities',
      elements: "'{{one_snake}}.read', '{{one_snake}}.write'",
    },
  ],
  endpoints: {
    imports: [
      "import { cursorPage, dataOf, done, uuid, type Endpoint } from '@platform/http';",
      "import { Int, Text } from '@platform/validation';",
      "import { endpoint } from '{{up}}endpoint';",
    ],
    list: { guard: '{{one_snake}}.read', reply: 'cursorPage({{One}}View)' },
    add: { guard: '{{one_snake}}.write', reply: 'dataOf({{One}}View)' },
    find: { guard: '{{one_snake}}.read', reply: 'dataOf({{One}}View)' },
    delete: { guard: '{{one_snake}}.write', reply: "done('OK')" },
  },
  spec: {
    imports: [
      "import { caller } from '@platform/testing';",
      "import { newStore, startCommerce, type Commerce } from '{{up}}commerce.fixture';",
    ],
    type: 'Commerce',
    start: 'startCommerce()',
    tenants: ['string', 'await tokenOfStore()', 'await tokenOfStore()'],
    declares: 'const tokenOfStore = async () => app.storeAuth.userToken({ store_id: await newStore(app) });\n  ',
    one: "{ status, body: { status: 'success', message: 'OK', data: view } }",
    page: "{ status: 200, body: { status: 'success', message: 'OK', data: views, meta: { next_cursor: next } } }",
    deleted: "{ status: 200, body: { status: 'success', message: 'OK', data: null } }",
    missing: "{ status: 404, body: { status: 'error', message: '{{one}} not found', code: 'not_found' } }",
  },
  user: 'owner@toko-nusa.example',
};
