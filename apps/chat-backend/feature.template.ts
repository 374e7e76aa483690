/** How a feature of this service looks; `npm run generate` reads it, tools/generators/src/generated.spec.ts holds it. */
export const template = {
  port: 2,
  path: '/v1/{{snake}}',
  table: '{{many_snake}}',
  tenant: { value: 'storeId', column: 'store_id', type: 'text NOT NULL', word: 'store', of: 'storeOf(caller)' },
  composition: {
    file: 'source.composition.ts',
    list: 'areas',
    elements: '{ endpoints: {{all}}Endpoints(database), components: [] }',
  },
  additions: [{ file: 'walk.cases.fixture.ts', list: 'OWN_SPECS', elements: "'{{path}}'" }],
  endpoints: {
    imports: [
      "import { cursorPage, dataOf, done, uuid, type Endpoint } from '@platform/http';",
      "import { Int, Text } from '@platform/validation';",
      "import { endpoint } from '{{up}}endpoint';",
      "import { refusals, requireStore, type Scope } from '../tenancy/public';",
    ],
    classes: `
const storeOf = (caller: Scope): string => requireStore(caller, caller.storeId, refusals.forbidden);
`,
    refuses: 'refusals.forbidden',
    list: { guard: 'jwt', reply: 'cursorPage({{One}}View)' },
    add: { guard: 'jwt', reply: "dataOf({{One}}View, 'success')" },
    find: { guard: 'jwt', reply: "dataOf({{One}}View, 'success')" },
    delete: { guard: 'jwt', reply: "done('success')" },
  },
  spec: {
    imports: ["import { startChat, type Chat } from '{{up}}chat.fixture';"],
    type: 'Chat',
    start: 'startChat()',
    tenants: ['string', "app.tokens.tokenFor({ store_id: 'S1' })", "app.tokens.tokenFor({ store_id: 'S2' })"],
    ask: 'app.call(PATH + path, { method, body, token: of })',
    one: "{ status, body: { result: true, message: 'success', data: view } }",
    page: '{ status: 200, body: { result: true, data: views, meta: { next_cursor: next } } }',
    deleted: "{ status: 200, body: { result: true, message: 'success', data: null } }",
    missing: "{ status: 200, body: { result: false, message: '{{one}} not found' } }",
  },
  user: 'rina@toko-nusa.example',
};
