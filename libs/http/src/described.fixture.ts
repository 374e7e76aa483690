import { chatInboundEnvelope, plainEnvelope } from '@platform/envelopes';
import { Conflict } from '@platform/errors';
import { Int, List, Text } from '@platform/validation';
import { CustomBody, endpointsOf } from './endpoint';
import { oneOf } from './one-of';
import { position } from './parameters';
import { publicGuard, type Guard } from './request-view';
import { fixtureService } from './service.fixture';
import { dataOf, pageOf } from './shaped';

class Line {
  @Text() sku!: string;
}
class Order {
  @List(() => Line) lines!: Line[];
  @Text({ optional: true }) note?: string;
}
class Placed {
  @Int() id!: number;
}
class Waiting {
  @Text() until!: string;
}
class Filter {
  @Text({ optional: true }) q?: string;
}
class Device {
  @Text() 'x-device'!: string;
}

const guard = (label: string, scheme: Guard<object>['scheme']): Guard<object> => ({
  label,
  scheme,
  authenticate: () => ({}),
});
const guards = {
  public: publicGuard,
  token: guard('jwt', 'bearer+public-key'),
  crm: guard('crm', 'basic'),
  signed: guard('hmac', 'signature'),
};
const endpoint = endpointsOf<{ public: undefined; token: object; crm: object; signed: object }>();
const handle = () => ({}) as never;
const taken = () => new Conflict('taken', { code: 'taken' });

/** A service whose operations use every feature that can be described. */
export const described = fixtureService({
  description: 'What this is for',
  guards,
  envelope: plainEnvelope,
  docsPath: '/api',
  sockets: () => ({}) as never,
  counter: { increment: async () => 1 },
  variants: { crm: { suffix: '/crm', guard: 'crm' } },
  answers: () => ({
    'GET /rows': { request: { q: 'a' }, status: 200, response: { data: [], meta: {} } },
    'POST /shops/{shop}/orders: closed': { status: 410, response: { status: 'error', message: 'closed' } },
    'POST /shops/{shop}/orders': { request: { lines: [{ sku: 'B' }] }, status: 201, response: { data: { id: 8 } } },
  }),
  endpoints: [
    endpoint({
      post: '/shops/{shop}/orders',
      summary: 'Places an order',
      description: 'Once.',
      tag: 'Orders',
      guard: 'token',
      variants: ['crm'],
      status: 201,
      body: Order,
      query: Filter,
      headers: Device,
      accepts: ['json', 'multipart', 'urlencoded'],
      files: { photo: { maxBytes: 1 }, scans: { maxBytes: 1, maxCount: 3 } },
      idempotency: 'optional',
      rate: { requests: 1, perSeconds: 1, by: 'caller' },
      refuses: [taken, 'gone'],
      reply: dataOf(Placed),
      examples: [
        { summary: 'one line', request: { lines: [{ sku: 'A' }] }, status: 201, response: { data: { id: 7 } } },
        { summary: 'no lines', request: {}, status: 422, response: { status: 'error', message: 'no' } },
        { summary: 'taken', status: 409, response: { status: 'error', message: 'taken' } },
      ],
      handle,
    }),
    endpoint({ get: '/rows', summary: 'Rows', guard: 'public', query: Filter, reply: pageOf(Placed), handle }),
    endpoint({
      get: '/either/{at}',
      summary: 'Either',
      guard: 'crm',
      params: { at: position },
      reply: oneOf(Placed, Waiting, 'text'),
      handle,
    }),
    endpoint({
      get: '/page',
      summary: 'Page',
      guard: 'public',
      reply: 'page',
      examples: [
        { summary: 'a page', status: 200, response: '<p>' },
        { summary: 'without a body', status: 304, response: undefined },
      ],
      handle,
    }),
    endpoint({
      post: '/raw',
      summary: 'Raw',
      guard: 'signed',
      rawBody: true,
      reply: 'nothing',
      malformed: 'rejected',
      envelope: chatInboundEnvelope,
      handle,
    }),
    endpoint({
      delete: '/all',
      summary: 'All',
      guard: 'public',
      body: new CustomBody(Filter, () => ({})),
      reply: 'nothing',
      handle,
    }),
    endpoint({
      post: '/photo',
      summary: 'Photo',
      guard: 'public',
      accepts: ['multipart'],
      files: { photo: { maxBytes: 1 } },
      reply: 'json',
      examples: [{ summary: 'said', status: 200, response: 'a text' }],
      handle,
    }),
    endpoint({
      get: '/shared',
      summary: 'Shared',
      guard: 'public',
      query: Filter,
      envelope: chatInboundEnvelope,
      reply: oneOf(Placed, 'text'),
      handle,
    }),
  ],
});
