/** How a feature of this service looks; `npm run generate` reads it, tools/generators/src/generated.spec.ts holds it. */
export const template = {
  port: 4,
  path: '/api/{{kebab}}',
  table: '{{one_snake}}',
  tenant: { value: 'instanceId', column: 'instance_id', type: 'text NOT NULL REFERENCES device', word: 'device' },
  composition: { file: 'app.ts', list: 'endpoints', elements: '...{{all}}Endpoints(database, devices)' },
  endpoints: {
    imports: [
      "import { dataOf, done, uuid, type Endpoint } from '@platform/http';",
      "import { Int, List, Text } from '@platform/validation';",
      "import { endpoint } from '{{up}}endpoint';",
    ],
    whose: `
  @Text({ optional: true, max: 64, description: 'device; may be left out when there is exactly one' })
  instanceID?: string;`,
    whoseQuery: '\n    query: {{Many}}Query,',
    classes: `
class {{Many}}Page {
  @List(() => {{One}}View) items!: {{One}}View[];
  @Text({ nullable: true }) next_cursor!: string | null;
}

/** Knows the named device, or the only one. */
interface Devices {
  resolve(instanceID?: string): Promise<{ readonly instanceId: string }>;
}
const idOf = async (devices: Devices, { instanceID }: { instanceID?: string }): Promise<string> =>
  (await devices.resolve(instanceID)).instanceId;
`,
    parameters: 'sql: Sql, devices: Devices',
    refuses: "'notFound'",
    list: {
      guard: 'perimeter',
      reply: "dataOf({{Many}}Page, '{{many}}')",
      handle: `async ({ query }) => {
        const { rows: items, nextCursor: next_cursor } = await list{{Many}}(sql, await idOf(devices, query), query);
        return { items: [...items], next_cursor };
      }`,
    },
    add: {
      guard: 'perimeter',
      reply: "dataOf({{One}}View, '{{one}}')",
      handle: 'async ({ body }) => add{{One}}(sql, await idOf(devices, body), body.name)',
    },
    find: {
      guard: 'perimeter',
      reply: "dataOf({{One}}View, '{{one}}')",
      handle: 'async ({ query, params }) => find{{One}}(sql, await idOf(devices, query), params.id)',
    },
    delete: {
      guard: 'perimeter',
      reply: "done('{{one}} deleted')",
      handle: 'async ({ query, params }) => delete{{One}}(sql, await idOf(devices, query), params.id)',
    },
  },
  spec: {
    imports: [
      "import { caller } from '@platform/testing';",
      "import { startGateway, type Gateway } from '{{up}}gateway.fixture';",
    ],
    type: 'Gateway',
    start: 'startGateway()',
    prepare: `
    for (const instanceID of ['dev1', 'dev2']) await app.client.data(app.client.post('/api/new', { instanceID }));`,
    tenants: ['string', "'dev1'", "'dev2'"],
    ask: `caller(app.client.url)(\`\${PATH}\${path}\${path.includes('?') ? '&' : '?'}instanceID=\${of}\`, {
    method,
    body: body && { ...body, instanceID: of },
  })`,
    one: "{ status, body: { success: true, message: '{{one}}', data: view } }",
    page: "{ status: 200, body: { success: true, message: '{{many}}', data: { items: views, next_cursor: next } } }",
    deleted: "{ status: 200, body: { success: true, message: '{{one}} deleted', data: null } }",
    missing: `{
  status: 404,
  body: { success: false, message: '{{one}} not found', error: { code: 'NOT_FOUND', retryable: false } },
}`,
  },
  curl: `curl -s ADDRESS{{path}} -H 'content-type: application/json' -d '{"instanceID":"dev1","name":"Budi"}'`,
};
