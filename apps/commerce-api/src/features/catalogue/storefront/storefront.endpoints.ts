import type { Sql } from '@platform/data';
import { pageOf, Reply, type Endpoint } from '@platform/http';
import { ofSlug, rowEndpoint as endpoint } from '../../../endpoint';
import { StorefrontProduct, StorefrontQuery } from './storefront.dto';
import { storefrontExamples } from './storefront.examples';
import { catalogueOf } from './storefront.sql';

const CACHED = { headers: { 'Cache-Control': 'public, max-age=30' } };

export const storefrontEndpoints = (sql: Sql): Endpoint[] => [
  endpoint({
    get: '/api/store/public/{slug}/products',
    summary: 'Public catalogue',
    tag: 'Settings and reports',
    guard: 'none',
    rate: { requests: 60, perSeconds: 60, by: 'address' },
    tenantOf: ({ params }) => ofSlug(params.slug),
    query: StorefrontQuery,
    reply: pageOf(StorefrontProduct),
    refuses: ['notFound'],
    examples: storefrontExamples.list,
    handle: async ({ params, query }) => new Reply(await catalogueOf(sql, params.slug, query), CACHED),
  }),
];
