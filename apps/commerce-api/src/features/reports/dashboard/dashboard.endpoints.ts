import { area, dataOf, listOf, type Endpoint } from '@platform/http';
import { rowEndpoint as endpoint } from '../../../endpoint';
import type { Dashboard } from './dashboard';
import { Alert, ChartPoint, ChartQuery, Summary, TopProduct, TopQuery } from './dashboard.dto';

const USUAL = { days: '30', limit: 10 } as const;

export const dashboardEndpoints = (dashboard: Dashboard): Endpoint[] =>
  area({ prefix: '/api/dashboard', tag: 'Reports' }, [
    endpoint({
      get: '/summary',
      summary: 'Sales, orders, chats today',
      description: 'Days are cut on the clock of the store. Without `chat.all` only the orders of own chats count.',
      guard: 'member',
      reply: dataOf(Summary),
      refuses: ['unavailable'],
      handle: ({ caller }) => dashboard.summary(caller),
    }),
    endpoint({
      get: '/sales-chart',
      summary: 'Sales over time',
      guard: 'member',
      query: ChartQuery,
      reply: listOf(ChartPoint),
      refuses: ['unavailable'],
      handle: ({ caller, query }) => dashboard.chart(caller, Number(query.days ?? USUAL.days)),
    }),
    endpoint({
      get: '/top-products',
      summary: 'Best sellers',
      guard: 'member',
      query: TopQuery,
      reply: listOf(TopProduct),
      refuses: ['unavailable'],
      handle: ({ caller, query: { days = USUAL.days, limit = USUAL.limit } }) =>
        dashboard.top(caller, Number(days), limit),
    }),
    endpoint({
      get: '/alerts',
      summary: 'Low stock, unpaid, device offline',
      guard: 'member',
      reply: listOf(Alert),
      refuses: ['unavailable'],
      handle: ({ caller }) => dashboard.alerts(caller),
    }),
  ]);
