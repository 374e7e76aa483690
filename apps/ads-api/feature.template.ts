/** What a generated feature of this service looks like; read by `npm run generate`, checked by tools/generators/src/generated.spec.ts. */
export const template = {
  port: 6,
  path: '/api/{{kebab}}',
  table: '{{many_snake}}',
  tenant: {
    value: 'applicationId',
    column: 'application_id',
    type: 'uuid NOT NULL REFERENCES applications',
    word: 'application',
    of: 'caller.id',
  },
  composition: { file: 'app.ts', list: 'endpoints', elements: '...{{all}}Endpoints(database)' },
  endpoints: {
    imports: [
      "import { dataOf, done, uuid, type Endpoint } from '@platform/http';",
      "import { Int, List, Nested, Text } from '@platform/validation';",
      "import { endpoint } from '{{up}}endpoint';",
    ],
    classes: `
class {{Many}}Paging {
  @Text({ format: 'uuid', description: 'the next cursor' }) after!: string;
}

class {{Many}}Page {
  @List(() => {{One}}View) data!: {{One}}View[];
  @Nested(() => {{Many}}Paging, { optional: true, description: 'Only when there is a next page' }) paging?: {{Many}}Paging;
}
`,
    list: {
      guard: 'application',
      reply: '{{Many}}Page',
      handle: `async ({ caller, query }) => {
        const { rows, nextCursor: after } = await list{{Many}}(sql, caller.id, query);
        return { data: [...rows], ...(after === null ? {} : { paging: { after } }) };
      }`,
    },
    add: { guard: 'application', reply: 'dataOf({{One}}View)' },
    find: { guard: 'application', reply: 'dataOf({{One}}View)' },
    delete: { guard: 'application', reply: "done('success')" },
  },
  spec: {
    imports: ["import { failed, startAds, type Ads } from '{{up}}ads.fixture';"],
    type: 'Ads',
    start: 'startAds()',
    tenants: ['Record<string, string>', 'await app.signIn(await app.client())', 'await app.signIn(await app.client())'],
    ask: `app.call(PATH + path, {
    method,
    headers: { ...of, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  })`,
    one: "{ status, body: { status: true, message: 'success', data: view } }",
    page: `{
  status: 200,
  body: { status: true, message: 'success', data: views, ...(next === null ? {} : { paging: { after: next } }) },
}`,
    deleted: "{ status: 200, body: { status: true, message: 'success', data: null } }",
    missing: "{ status: 404, body: failed('{{one}} not found') }",
  },
  curl: `ads() { node -p "require('./DATA/stack.json').demo.ads.$1"; }
now=$(date -u +%Y-%m-%dT%H:%M:%SZ)
signature=$(printf '%s|%s' "$(ads client_key)" "$now" | openssl dgst -sha256 -sign "$(ads private_key_file)" | base64 | tr -d '\\n')
token=$(curl -s -X POST ADDRESS/api/application/token -H "x-client-key: $(ads client_key)" -H "x-timestamp: $now" \\
  -H "x-signature: $signature" | node -p 'JSON.parse(require("fs").readFileSync(0)).data.access_token')
curl -s ADDRESS{{path}} -H "Authorization: Bearer $token" -H "public-key: $(grep -v -e ----- "$(ads public_key_file)" | tr -d '\\n')" \\
  -H 'content-type: application/json' -d '{"name":"Budi"}'`,
};
