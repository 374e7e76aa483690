import { dataOf, type Endpoint } from '@platform/http';
import { internalEndpoint } from '../../endpoint';
import { refusals } from '../../refusals';
import { UsageQuery, UsageView } from './usage.dto';
import type { UsageService } from './usage.service';

export const usageEndpoints = (usage: UsageService): Endpoint[] => [
  internalEndpoint({
    get: '/internal/usage',
    summary: "What a store's agents answered and what their models cost, by days of the store",
    guard: 'service',
    query: UsageQuery,
    reply: dataOf(UsageView),
    refuses: [refusals.storeNotFound],
    handle: ({ caller, query }) => usage.of(caller.storeId, query),
  }),
];
