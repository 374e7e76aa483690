// Each line that ends in `// mistake` must not compile, and no other line may fail: planted-types.spec.ts compiles this
// file, while the type check of the project excludes it. To plant another mistake, add a line.
import { listingOf, sortsOf, type Sort } from '@platform/data';
import { csv, dataOf, endpointsOf, JsonText, Page, path, position, Redirect, Reply, uuid } from '@platform/http';
import { Anything, Choice, Decimal, Flag, Int, Json, List, ListOfOne, Nested, Text, Texts } from '@platform/validation';

class Part {
  @Text() sku!: string;
}

class Wheel {
  @Int() size!: number;
}

export class Sound {
  @Text() text!: string;
  @Text<'a' | 'b'>({ pattern: /^[ab]$/ }) letter!: 'a' | 'b';
  @Text({ optional: true }) optional?: string;
  @Text({ nullable: true }) nullable!: string | null;
  @Int({ optional: true }) whole?: number | null;
  @Decimal() decimal!: number;
  @Flag() flag!: boolean;
  @Choice(['x', 'y']) choice!: 'x' | 'y';
  @Choice(['x', 'y'], { optional: true }) maybe?: 'x' | 'y' | null;
  @Nested(() => Part, { nullable: true }) part!: Part | null;
  @List(() => Part) parts!: Part[];
  @List(() => Part) frozen!: readonly Part[];
  @ListOfOne(() => [Part, Wheel]) rows!: Part[] | Wheel[];
  @Texts() texts!: string[];
  @Json() json!: Record<string, unknown>;
  @Anything() anything?: unknown;
}

export class Mistaken {
  @Int() textAsNumber!: string; // mistake
  @Decimal() textAsDecimal!: string; // mistake
  @Text() numberAsText!: number; // mistake
  @Flag() textAsFlag!: string; // mistake
  @Choice(['x', 'y']) otherChoice!: 'x' | 'z'; // mistake
  @Choice(['x', 'y']) oneOfTwo!: 'x'; // mistake
  @Choice(['x', 'y']) anyText!: string; // mistake
  @Text() narrowText!: 'a' | 'b'; // mistake
  @Nested(() => Part) otherDto!: Wheel; // mistake
  @Nested(() => Part) listOfNested!: Part[]; // mistake
  @List(() => Part) listOfOthers!: Wheel[]; // mistake
  @List(() => Part) oneOfList!: Part; // mistake
  @ListOfOne(() => [Part]) otherRows!: Wheel[]; // mistake
  @Texts() numbers!: number[]; // mistake
  @Texts() oneText!: string; // mistake
  @Json() textAsJson!: string; // mistake
}

class Rep {
  @Text() ok!: string;
  @Int({ optional: true }) more?: number;
}

const endpoint = endpointsOf<{ public: undefined; jwt: { store: string } }, { sql: string }>();
const json = { summary: 'x', guard: 'public', reply: 'json' } as const;
const rep = { summary: 'x', guard: 'public', reply: Rep } as const;
const page = { summary: 'x', guard: 'public', reply: 'page' } as const;
const key = { ...rep, idempotency: 'required' } as const;
const wide: object = { ok: 'x' };

export const sound = [
  endpoint({ ...rep, get: '/a', handle: () => ({ ok: 'x' }) }),
  endpoint({
    ...rep,
    get: '/a',
    handle: async () => new Reply({ ok: 'x' }, { headers: { 'Set-Cookie': ['a', 'b'] } }),
  }),
  endpoint({ ...rep, get: '/a', handle: () => new JsonText('{}') }),
  endpoint({ ...json, post: '/a', body: Part, handle: ({ body }) => ({ sku: body.sku.trim() }) }),
  endpoint({ ...json, guard: 'jwt', get: '/{id}', handle: ({ params, caller }) => [params.id.trim(), caller.store] }),
  endpoint({ ...json, get: '/{at}', params: { at: position }, handle: ({ params }) => ({ at: params.at + 1 }) }),
  endpoint({ ...page, get: '/a', handle: () => new Page('') }),
  endpoint({ ...key, post: '/a', handle: ({ once }) => once(async (tx) => ({ ok: tx.sql })) }),
  endpoint({ ...json, reply: dataOf(Rep), get: '/a', handle: () => ({ ok: 'x' }) }),
];

export const mistaken = [
  endpoint({ ...rep, get: '/a', handle: () => ({}) }), // mistake
  endpoint({ ...rep, get: '/a', handle: async () => ({ more: 1 }) }), // mistake
  endpoint({ ...rep, get: '/a', handle: () => wide }), // mistake
  endpoint({ ...rep, get: '/a', handle: async () => new Reply(wide) }), // mistake
  endpoint({ ...rep, get: '/a', handle: () => ({ ok: 5 }) }), // mistake
  endpoint({ ...json, reply: dataOf(Rep), get: '/a', handle: () => ({}) }), // mistake
  endpoint({ ...json, get: '/a', post: '/b', handle: () => ({}) }), // mistake
  endpoint({ ...json, get: '/a', body: Part, handle: () => ({}) }), // mistake
  endpoint({ ...json, get: '/a', rawBody: true, handle: () => ({}) }), // mistake
  endpoint({ ...json, guard: 'nobody', get: '/a', handle: () => ({}) }), // mistake
  endpoint({ ...json, get: '/{id}', handle: ({ params }) => ({ id: params.name }) }), // mistake
  endpoint({ ...json, get: '/{id}', params: { name: uuid }, handle: () => ({}) }), // mistake
  endpoint({ ...json, get: '/{at}', params: { at: position }, handle: ({ params }) => [params.at.trim()] }), // mistake
  endpoint({ ...json, post: '/a', body: Part, handle: ({ body }) => ({ sku: body.name }) }), // mistake
  endpoint({ ...page, get: '/a', handle: () => new Redirect('/') }), // mistake
  endpoint({ ...page, get: '/a', handle: () => 'html' }), // mistake
  endpoint({ ...json, reply: 'redirect', get: '/a', handle: () => new Page('') }), // mistake
  endpoint({ ...rep, post: '/a', handle: ({ once }) => once(async () => ({ ok: 'x' })) }), // mistake
  endpoint({ ...key, post: '/a', handle: async () => ({ ok: 'x' }) }), // mistake
  endpoint({ ...key, post: '/a', handle: ({ once }) => once(async () => ({})) }), // mistake
  endpoint({ ...key, post: '/a', handle: ({ once }) => once(async (tx) => ({ ok: tx.no })) }), // mistake
];

class CouponsQuery {
  sort?: Sort<'code' | 'value'>;
  q?: string;
  page?: number;
  status?: 'active' | 'paused';
  value_min?: number;
}
const sorts = sortsOf(['code', 'value']);
const otherSorts = sortsOf(['code', 'price']);
class Codes {
  @Choice(sorts) sort!: Sort<'code' | 'value'>;
  @Choice(otherSorts) unsorted!: Sort<'code' | 'value'>; // mistake
}
const parts = { from: 'coupon c', tenant: 'c.store_id', select: 'c.id', tie: 'c.id', words: ['c.code'] };
const by = { sort: { code: 'c.code', value: 'c.value' }, usualSort: 'code' } as const;
const filters = { status: 'c.status = ?', value_min: 'c.value >= ?' } as const;
const listing = { ...parts, ...by, where: filters };
const { words: _words, ...wordless } = listing;

export const soundListings = [
  Codes,
  listingOf(CouponsQuery, listing),
  listingOf(CouponsQuery, { ...listing, where: { status: false, value_min: (value) => `c.value >= ${value}` } }),
  listingOf(CouponsQuery, {
    ...listing,
    where: { status: 'c.status = ?' },
    some: { from: 'FROM use u WHERE u.coupon_id = c.id', where: { value_min: 'u.amount >= ?' } },
  }),
  csv<Rep>([['Ok', 'ok']]),
];

export const mistakenListings = [
  listingOf(CouponsQuery, { ...listing, where: { status: 'c.status = ?' } }), // mistake
  listingOf(CouponsQuery, { ...listing, where: { ...filters, state: 'c.state = ?' } }), // mistake
  listingOf(CouponsQuery, { ...listing, where: { ...filters, status: 'c.status = 1' } }), // mistake
  listingOf(CouponsQuery, { ...listing, where: { ...filters, status: { sql: '?', value: (s) => s.no } } }), // mistake
  listingOf(CouponsQuery, { ...listing, sort: { code: 'c.code' } }), // mistake
  listingOf(CouponsQuery, { ...listing, usualSort: 'price' }), // mistake
  listingOf(CouponsQuery, { ...listing, from: ({ price }) => `coupon ${price}` }), // mistake
  listingOf(CouponsQuery, wordless), // mistake
  listingOf(Part, { ...parts, sort: {}, usualSort: 'code', where: { sku: 'c.sku = ?' } }), // mistake
  csv<Rep>([['Ok', 'no']]), // mistake
];

declare const id: string;
export const paths = [
  path('/x'),
  path('/x/{id}', { id }),
  path('/x/{id}/{n}', { id, n: 5 }),
  path(`/x/${id}`), // mistake
  path('/x/{id}'), // mistake
  path('/x/{id}', { name: id }), // mistake
  path('/x', { id }), // mistake
];
