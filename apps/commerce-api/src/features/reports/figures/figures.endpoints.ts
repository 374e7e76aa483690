import type { Sql } from '@platform/data';
import { area, listOf, type Endpoint } from '@platform/http';
import type { ChatFigures } from '../../../clients/chat.stats';
import { OWNER_AWAY } from '../../../clients/face';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { seenBy } from '../../sales/sight/public';
import { agentsOf } from './agents.sql';
import {
  AgentFigures,
  MOST_PRODUCTS,
  PaymentsRow,
  ProductFigures,
  ProductsQuery,
  SalesQuery,
  SalesRow,
  SpanQuery,
} from './figures.dto';
import { paymentsOf } from './payments.sql';
import { productsOf } from './products.sql';
import { salesOf } from './sales.sql';
import { demandSpan } from './span';

interface Parts {
  readonly sql: Sql;
  readonly chats: ChatFigures | undefined;
}

const OF_WHOM = 'Days are cut on the clock of the store. Without `chat.all` only the orders of own chats count.';

/** Reports as they stand now. */
export const figuresEndpoints = ({ sql, chats }: Parts): Endpoint[] =>
  area({ prefix: '/api/report', tag: 'Reports' }, [
    endpoint({
      get: '/sales',
      summary: 'Sales by day, channel, agent',
      description: OF_WHOM,
      guard: 'report.read',
      query: SalesQuery,
      reply: listOf(SalesRow),
      refuses: ['unavailable'],
      handle: ({ caller, query: { group = 'day', ...span } }) =>
        salesOf(sql, caller.storeId, { ...seenBy(caller, demandSpan(span)), group }),
    }),
    endpoint({
      get: '/products',
      summary: 'Units, revenue, margin by product',
      description: `The best sellers first; all of them are in the file of an export. ${OF_WHOM}`,
      guard: 'report.read',
      query: ProductsQuery,
      reply: listOf(ProductFigures),
      refuses: ['unavailable'],
      handle: ({ caller, query: { limit = MOST_PRODUCTS, ...span } }) =>
        productsOf(sql, caller.storeId, { ...seenBy(caller, demandSpan(span)), limit }),
    }),
    endpoint({
      get: '/payments',
      summary: 'Payments, fees, settlement',
      description: OF_WHOM,
      guard: 'report.read',
      query: SpanQuery,
      reply: listOf(PaymentsRow),
      refuses: ['unavailable'],
      handle: ({ caller, query }) => paymentsOf(sql, caller.storeId, seenBy(caller, demandSpan(query))),
    }),
    endpoint({
      get: '/agents',
      summary: 'Agent response and conversion',
      description: 'Without `chat.all` only the own figures.',
      guard: 'report.read',
      query: SpanQuery,
      reply: listOf(AgentFigures),
      refuses: ['unavailable', ...OWNER_AWAY],
      handle: ({ caller, query }) =>
        agentsOf(sql, chats, caller.storeId, { ...seenBy(caller, demandSpan(query)), only: caller.sight?.handledBy }),
    }),
  ]);
