import type { Database } from '@platform/data';
import { area, dataOf, listOf, type Endpoint } from '@platform/http';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { Plan, type Family } from './plans.dto';
import { planOf, plansOf } from './plans.sql';

/** A price list of one family; whoever has no token may read what is on sale. */
const priceList = (
  database: Database,
  { family, guard, all, one }: { family: Family; guard: 'none' | 'member'; all: string; one: string },
): Endpoint[] => [
  endpoint({
    get: '',
    summary: all,
    guard,
    reply: listOf(Plan),
    refuses: [],
    handle: () => plansOf(database, family),
  }),
  endpoint({
    get: '/{id}',
    summary: one,
    guard,
    reply: dataOf(Plan),
    refuses: ['notFound'],
    handle: ({ params }) => planOf(database, family, params.id),
  }),
];

const OLD = { family: 'legacy', guard: 'member', all: 'Legacy plans still in force', one: 'One legacy plan' } as const;
const ON_SALE = { family: 'new', guard: 'none', all: 'Public price list', one: 'One plan with features' } as const;

export const plansEndpoints = (database: Database): Endpoint[] => [
  ...area({ prefix: '/api/package', tag: 'Wallet and payment' }, priceList(database, OLD)),
  ...area({ prefix: '/api/new-package', tag: 'Wallet and payment' }, priceList(database, ON_SALE)),
];
