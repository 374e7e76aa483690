import { chatInboundEnvelope } from '@platform/envelopes';
import { described } from './described.fixture';
import { openapi } from './openapi';

const { paths, components, ...rest } = openapi(described) as unknown as {
  paths: Record<string, Record<string, { responses: Record<string, unknown> }>>;
  components: { schemas: Record<string, unknown>; securitySchemes: unknown };
};
const of = (path: string, method = 'get') => {
  const { responses, ...request } = paths[path]?.[method] ?? { responses: {} };
  return { request, responses };
};
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: object, examples?: object) => ({
  'application/json': { schema, ...(examples ? { examples } : {}) },
});
const TEXT = { schema: { type: 'string' } };
const RETRY = { headers: { 'Retry-After': { schema: { type: 'integer' } } } };
const MEANING: Readonly<Record<number, string>> = {
  400: 'the request cannot be read',
  401: 'nobody we know',
  404: 'there is no such thing',
  410: 'it was here, and is no more',
  413: 'the body is too large',
  422: 'the request breaks a rule',
  429: 'called too often',
  500: 'an error of ours',
  503: 'something underneath is away: the same request may succeed later',
};
const INTERNAL = [503, 500].map((status) => `- \`internal\`: ${MEANING[status]}`).join('\n');
const refused = (
  status: number,
  { meaning = MEANING[status], examples = undefined as object | undefined, schema = '' } = {},
) => ({
  description: `Refused: ${meaning}`,
  ...([409, 429, 503].includes(status) ? RETRY : {}),
  content: json(ref(schema || `Refused${status}`), examples),
});
const refusals = (...statuses: number[]) => Object.fromEntries(statuses.map((status) => [status, refused(status)]));

describe('the OpenAPI document', () => {
  it('has the title of the service and a link to its sockets', () =>
    expect(rest).toStrictEqual({
      openapi: '3.1.0',
      info: {
        title: 'fixture',
        description: 'What this is for',
        version: '1',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      externalDocs: { url: '/api/sockets', description: 'Its sockets' },
      servers: [{ url: '/', description: 'The service that this document was read from' }],
      tags: [{ name: 'Orders' }, { name: 'fixture' }],
    }));

  it('has the schemas that its operations refer to, and no others', () => {
    const names = [400, 401, 404, 409, 410, 413, 422, 429, 500, 503, 200].map((status) => `Refused${status}`);
    const own = 'Order Line PlacedData Placed PlacedPage PageMeta Waiting Filter'.split(' ');
    const others = [401, 413, 422, 503, 200].map((status) => `Refused${status}_2`);
    expect(Object.keys(components.schemas)).toEqual([...own, ...names, ...others]);
    expect([components.schemas.PlacedData, components.schemas.PageMeta, components.schemas.Filter]).toStrictEqual([
      { type: 'object', properties: { message: { type: 'string' }, data: ref('Placed') }, required: ['data'] },
      {
        type: 'object',
        properties: {
          ...Object.fromEntries(
            ['current_page', 'per_page', 'total', 'last_page'].map((name) => [name, { type: 'integer' }]),
          ),
          ...Object.fromEntries(['from', 'to'].map((name) => [name, { type: ['integer', 'null'] }])),
        },
        required: ['current_page', 'per_page', 'total', 'last_page', 'from', 'to'],
      },
      { type: 'object', properties: { q: { type: 'string' } } },
    ]);
  });

  it('has the security schemes that are used, and no others', () => {
    const schemes = {
      bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      basic: { type: 'http', scheme: 'basic' },
      signature: { type: 'apiKey', in: 'header', name: 'x-signature' },
      'public-key': { type: 'apiKey', in: 'header', name: 'public-key' },
    };
    expect(components.securitySchemes).toStrictEqual(schemes);
    const open = openapi({ ...described, variants: {}, endpoints: described.endpoints.slice(1, 3) }) as typeof rest & {
      components: unknown;
    };
    expect(open.components).toMatchObject({ securitySchemes: { basic: schemes.basic } });
    expect(Object.keys((open.components as typeof components).securitySchemes as object)).toEqual(['basic']);
  });
});

describe('an operation of the OpenAPI document', () => {
  const order = {
    summary: 'Places an order',
    description: 'Once.',
    tags: ['Orders'],
    parameters: [
      { name: 'shop', in: 'path', required: true, schema: { type: 'string', minLength: 1, maxLength: 255 } },
      { name: 'q', in: 'query', schema: { type: 'string' } },
      { name: 'x-device', in: 'header', required: true, schema: { type: 'string' } },
      {
        name: 'Idempotency-Key',
        in: 'header',
        required: false,
        description: 'The same key and request again get the first answer again',
        schema: { type: 'string', maxLength: 255 },
      },
    ],
  };
  const file = { type: 'string', contentMediaType: 'application/octet-stream' };
  const photo = { type: 'object', properties: { photo: file } };

  it('documents every feature that it declares', () => {
    const { request, responses } = of('/shops/{shop}/orders', 'post');
    const parts = { type: 'object', properties: { photo: file, scans: { type: 'array', items: file, maxItems: 3 } } };
    expect(request).toStrictEqual({
      operationId: 'post_shops_shop_orders',
      ...order,
      requestBody: {
        required: true,
        content: {
          ...json(ref('Order'), {
            'one line': { value: { lines: [{ sku: 'A' }] } },
            'a good call': { value: { lines: [{ sku: 'B' }] } },
          }),
          'multipart/form-data': { schema: { allOf: [ref('Order'), parts] } },
          'application/x-www-form-urlencoded': { schema: ref('Order') },
        },
      },
      security: [{ bearer: [], 'public-key': [] }],
    });
    expect(responses).toStrictEqual({
      201: {
        description: 'Success',
        headers: {
          'Idempotent-Replay': { description: 'The answer to an earlier request', schema: { const: 'true' } },
        },
        content: json(ref('PlacedData'), {
          'one line': { value: { data: { id: 7 } } },
          'a good call': { value: { data: { id: 8 } } },
        }),
      },
      ...refusals(400, 401, 404, 413, 429, 500, 503),
      410: refused(410, { examples: { closed: { value: { status: 'error', message: 'closed' } } } }),
      409: refused(409, {
        meaning:
          'its state does not allow it now (taken; a request with this Idempotency-Key is still running; Idempotency-Key was used with a different request)',
        examples: { taken: { value: { status: 'error', message: 'taken' } } },
      }),
      422: refused(422, {
        meaning: 'the request breaks a rule (Idempotency-Key …)',
        examples: { 'no lines': { value: { status: 'error', message: 'no' } } },
      }),
    });
  });

  it('has its own name, guard and heading for a variant', () => {
    const { request, responses } = of('/shops/{shop}/orders/crm', 'post');
    expect(request).toMatchObject({
      ...order,
      operationId: 'post_shops_shop_orders_crm',
      summary: 'Places an order (crm)',
      security: [{ basic: [] }],
    });
    expect(responses).toStrictEqual(of('/shops/{shop}/orders', 'post').responses);
  });

  it('documents each of several possible replies', () =>
    expect(of('/either/{at}')).toStrictEqual({
      request: {
        operationId: 'get_either_at_',
        summary: 'Either',
        tags: ['fixture'],
        parameters: [
          { name: 'at', in: 'path', required: true, schema: { type: 'integer', minimum: 0, maximum: 2147483647 } },
        ],
        security: [{ basic: [] }],
      },
      responses: {
        200: {
          description: 'Success',
          content: { ...json({ oneOf: [ref('Placed'), ref('Waiting')] }), 'text/plain': TEXT },
        },
        ...refusals(400, 401, 404, 500, 503),
      },
    }));

  it.each<[string, string, object]>([
    [
      'rows, with the answer of a real call',
      'get /rows',
      {
        200: {
          description: 'Success',
          content: json(ref('PlacedPage'), { 'a good call': { value: { data: [], meta: {} } } }),
        },
        ...refusals(422, 500, 503),
      },
    ],
    [
      'a page, its examples as texts',
      'get /page',
      {
        200: {
          description: 'Success',
          content: { 'text/html': { ...TEXT, examples: { 'a page': { value: '<p>' } } } },
        },
        304: { description: 'Success', content: { 'text/html': TEXT } },
        ...refusals(500, 503),
      },
    ],
    [
      'nothing, where it refuses what it cannot read with the status of a success',
      'post /raw',
      {
        200: {
          description: `Refused:\n\n- a rule of the business says no\n${INTERNAL}`,
          content: json({
            allOf: [ref('Refused200'), { type: 'object', properties: { code: { enum: ['internal'] } } }],
          }),
        },
        204: { description: 'Success' },
        401: refused(401, { schema: 'Refused401_2' }),
        413: refused(413, { schema: 'Refused413_2' }),
        422: refused(422, { schema: 'Refused422_2' }),
        503: refused(503, { meaning: `\`internal\`: ${MEANING[503]}`, schema: 'Refused503_2' }),
      },
    ],
    [
      'what has the status of a refusal too',
      'get /shared',
      {
        200: {
          description: `Success. Refused:\n\n${INTERNAL}`,
          headers: {},
          content: {
            ...json({ anyOf: [chatInboundEnvelope.schema(ref('Placed')), ref('Refused200_2')] }),
            'text/plain': TEXT,
          },
        },
        422: refused(422, { schema: 'Refused422_2' }),
        503: refused(503, { meaning: `\`internal\`: ${MEANING[503]}`, schema: 'Refused503_2' }),
      },
    ],
    [
      'nothing, after a body that is read by rules of its own',
      'delete /all',
      { 204: { description: 'Success' }, ...refusals(400, 413, 422, 500, 503) },
    ],
    [
      'anything, a text too',
      'post /photo',
      {
        200: { description: 'Success', content: json({}, { said: { value: 'a text' } }) },
        ...refusals(400, 413, 422, 500, 503),
      },
    ],
  ])('answers %s: %s', (_, operation, responses) => {
    const [method, path = ''] = operation.split(' ');
    expect(of(path, method).responses).toStrictEqual(responses);
  });

  it('documents its body by the accepted types', () => {
    const bodyOf = (path: string, method: string) =>
      (of(path, method).request as { requestBody?: unknown }).requestBody;
    expect([bodyOf('/all', 'delete'), bodyOf('/photo', 'post'), bodyOf('/raw', 'post')]).toStrictEqual([
      { content: json(ref('Filter')) },
      { content: { 'multipart/form-data': { schema: { allOf: [{ type: 'object' }, photo] } } } },
      undefined,
    ]);
  });
});
