import { plainEnvelope, chatEnvelope, chatInboundEnvelope } from '@platform/envelopes';
import { Conflict, NotFound, Unauthenticated } from '@platform/errors';
import type { Claim, Settled } from '@platform/runtime';
import { Flag, Int, List, Text } from '@platform/validation';
import { endpointsOf, type Endpoint } from './endpoint';
import type { TextAnswer } from './answer';
import type { IdempotencyStore } from './idempotency';
import { Binary, PlainText, Redirect, Reply } from './replies';
import { publicGuard, type Guard } from './request-view';
import type { Service } from './service';

export interface Caller {
  readonly store: string;
}

/** Charges made in a transaction of `memoryStore`, which a rollback reverts. */
export interface Ledger {
  charge(amount: number): number;
  /** Resolves when a repeat was answered that the work is running. */
  readonly repeated: Promise<void>;
}

const endpoint = endpointsOf<{ public: undefined; token: Caller; open: Caller }, Ledger>();

export class Echo {
  @Text({ max: 10 }) text!: string;
  @Flag({ optional: true }) loud?: boolean;
}

export class EchoReply {
  @Text() text!: string;
  @Text() store!: string;
}

class Line {
  @Int() qty!: number;
}

class Lines {
  @List(() => Line) items!: Line[];
}

class Page {
  @Int({ optional: true, min: 1 }) page?: number;
}

const token: Guard<Caller> = {
  label: 'jwt',
  scheme: 'bearer',
  authenticate: ({ headers }) => {
    const [, store] = /^Bearer (\w+)$/.exec(headers.authorization ?? '') ?? [];
    if (!store) throw new Unauthenticated({ reason: 'missing' });
    return { store };
  },
};

/** The store's contract in memory; libs/data tests the one on PostgreSQL. */
export const memoryStore = () => {
  const kept = new Map<string, { readonly requestHash: string; readonly answer?: TextAnswer }>();
  const charges: number[] = [];
  let tell: () => void = () => undefined;
  const repeated = new Promise<void>((resolve) => (tell = resolve));
  return {
    charges,
    once: async (claim: Claim | undefined, work: (tx: Ledger) => Promise<TextAnswer>): Promise<Settled<TextAnswer>> => {
      const name = claim && claim.scope + claim.key;
      const known = name === undefined ? undefined : kept.get(name);
      if (claim && known) {
        if (known.answer && known.requestHash !== claim.requestHash) return { state: 'mismatch' };
        if (known.answer) return { state: 'replay', answer: known.answer };
        tell();
        return { state: 'running' };
      }
      if (claim && name) kept.set(name, claim);
      const mine: number[] = [];
      const ledger = { charge: (amount: number) => charges.length + mine.push(amount), repeated };
      try {
        const answer = await work(ledger);
        charges.push(...mine);
        if (claim && name) kept.set(name, { ...claim, answer });
        return { state: 'done' };
      } catch (failure) {
        if (name) kept.delete(name);
        throw failure;
      }
    },
  };
};

export const endpoints: Endpoint[] = [
  endpoint({
    post: '/v1/echo',
    summary: 'Says it again',
    guard: 'token',
    variants: ['admin'],
    body: Echo,
    reply: EchoReply,
    examples: [
      { summary: 'plain', request: { text: 'hi' }, status: 200, response: { result: true, text: 'hi', store: 'S1' } },
    ],
    handle: ({ body, caller }) => ({ text: body.loud ? body.text.toUpperCase() : body.text, store: caller.store }),
  }),
  endpoint({
    post: '/v1/position',
    summary: 'Refuses what it cannot read',
    guard: 'token',
    body: Echo,
    reply: EchoReply,
    malformed: 'rejected',
    envelope: chatInboundEnvelope,
    handle: () => {
      throw new NotFound('pesan tidak ditemukan', { code: 'message_not_found' });
    },
  }),
  endpoint({
    post: '/v1/form',
    summary: 'Takes forms with a file',
    guard: 'public',
    body: Echo,
    accepts: ['multipart', 'urlencoded', 'json'],
    files: { file: { maxBytes: 1024 * 1024 } },
    bodyLimit: 2 * 1024 * 1024,
    rawBody: true,
    reply: 'json',
    envelope: plainEnvelope,
    handle: ({ body, files, rawBody }) => ({
      ...body,
      raw: rawBody.length,
      files: files.map(({ field, originalName, size }) => ({ field, originalName, size })),
    }),
  }),
  endpoint({
    post: '/v1/lines',
    summary: 'Takes a list of objects, from a form too',
    guard: 'public',
    body: Lines,
    accepts: ['urlencoded', 'json'],
    reply: Lines,
    envelope: plainEnvelope,
    handle: ({ body }) => body,
  }),
  endpoint({
    get: '/things/{id}/parts/{part}',
    summary: 'Path parameters',
    guard: 'public',
    query: Page,
    reply: 'json',
    handle: ({ params, query }) => ({ id: params.id, part: params.part, page: query.page ?? 1 }),
  }),
  endpoint({
    get: '/text',
    summary: 'Plain text',
    guard: 'public',
    reply: 'text',
    handle: () => new PlainText('Notification send to client'),
  }),
  endpoint({
    get: '/picture',
    summary: 'Bytes',
    guard: 'public',
    reply: 'bytes',
    handle: () => new Binary(Buffer.from([1, 2, 3]), 'image/png'),
  }),
  endpoint({
    get: '/away',
    summary: 'Redirect',
    guard: 'public',
    reply: 'redirect',
    handle: () => new Redirect('/text'),
  }),
  endpoint({
    post: '/v1/created',
    summary: '201 with a header',
    guard: 'public',
    body: Echo,
    status: 201,
    reply: 'json',
    handle: () => new Reply({ done: true }, { headers: { 'X-Cost': '1' } }),
  }),
  endpoint({
    post: '/v1/bug',
    summary: 'Throws',
    guard: 'public',
    body: Echo,
    reply: 'json',
    handle: () => {
      throw new Error('secret detail');
    },
  }),
  endpoint({
    post: '/v1/once-secretly',
    summary: 'Idempotent, with a secret in its body',
    guard: 'token',
    body: Echo,
    idempotency: 'optional',
    secretFields: ['text'],
    reply: 'json',
    handle: ({ once }) => once(async (ledger) => ({ n: ledger.charge(1) })),
  }),
  endpoint({
    post: '/v1/once',
    summary: 'Idempotent',
    guard: 'token',
    body: Echo,
    idempotency: 'optional',
    reply: 'json',
    handle: ({ body, once }) =>
      once(async (ledger) => {
        const n = ledger.charge(1);
        if (body.text === 'no') throw new Conflict('no');
        if (body.text === 'wait') await ledger.repeated;
        return { n };
      }),
  }),
  endpoint({
    post: '/v1/once/redirect',
    summary: 'Idempotent, answered by a redirect with cookies',
    guard: 'token',
    body: Echo,
    idempotency: 'required',
    reply: 'redirect',
    handle: ({ once }) =>
      once(async (ledger) => {
        const location = `/charges/${ledger.charge(1)}`;
        return new Reply(new Redirect(location, 303), { headers: { 'Set-Cookie': ['a=1', 'b=2'] } });
      }),
  }),
  endpoint({
    post: '/v1/limited',
    summary: 'Limited',
    guard: 'token',
    body: Echo,
    rate: { requests: 2, perSeconds: 60, by: 'caller' },
    reply: 'json',
    handle: () => ({ ok: true }),
  }),
  endpoint({
    post: '/internal/sync',
    summary: 'Internal',
    guard: 'public',
    internal: true,
    body: Echo,
    reply: 'json',
    handle: () => ({ ok: true }),
  }),
  endpoint({
    post: '/twice',
    summary: 'Registered twice: first',
    guard: 'public',
    reply: 'json',
    handle: () => ({ which: 'first' }),
  }),
  endpoint({
    post: '/twice',
    summary: 'Registered twice: last',
    guard: 'public',
    reply: 'json',
    handle: () => ({ which: 'last' }),
  }),
];

export const fixtureService = (more: Partial<Service> = {}): Service => ({
  name: 'fixture',
  description: 'A service for the tests of this library',
  endpoints,
  guards: { public: publicGuard, token, open: { label: 'internal', authenticate: () => ({ store: 'any' }) } },
  variants: { admin: { suffix: '_admin', guard: 'open' } },
  envelope: chatEnvelope,
  components: [],
  callerKey: (caller) => (caller as Caller | undefined)?.store,
  counter: { increment: async () => 1 },
  idempotency: memoryStore() as IdempotencyStore,
  ...more,
});
