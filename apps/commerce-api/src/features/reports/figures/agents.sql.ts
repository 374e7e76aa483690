import { bigintNumber, type Sql } from '@platform/data';
import { UpstreamFailed } from '@platform/errors';
import type { AgentStats, ChatFigures } from '../../../clients/chat.stats';
import type { AgentFigures } from './figures.dto';
import { salesOf } from './sales.sql';
import type { Span } from './span';
import type { Seen } from '../../sales/sight/public';

/** Whose figures are asked for: everybody's, or those of one member. */
export interface AgentsAsked extends Span, Seen {
  readonly only: string | undefined;
}

const rowOf = (userId: string, stats: AgentStats | undefined, orders: number, sales: number): AgentFigures => ({
  ...{ user_id: userId, name: stats?.user_nama ?? null, handled: stats?.handled ?? 0, finished: stats?.finished ?? 0 },
  ...{ first_response_s: stats?.median_first_response ?? null, orders, sales },
  conversion: stats && stats.handled > 0 ? Math.round((orders / stats.handled) * 10_000) / 10_000 : null,
});

/** How the people of a store have worked: their chats as chat-backend tells them, and the orders assigned to them that were paid. Throws what a face throws. */
export const agentsOf = async (
  sql: Sql,
  chats: ChatFigures | undefined,
  storeId: string,
  { only, ...span }: AgentsAsked,
): Promise<AgentFigures[]> => {
  if (!chats)
    throw new UpstreamFailed('There is no chat-backend to tell how chats were answered', { outcome: 'undone' });
  const { agents } = await chats.of(storeId, span.from, span.to);
  const sold = await salesOf(sql, storeId, { ...span, group: 'agent' });
  const [stats, orders] = [
    new Map(agents.map((each) => [each.user_id, each])),
    new Map(sold.map((row) => [row.key, row])),
  ];
  const ids = new Set([...stats.keys(), ...sold.flatMap(({ key }) => key ?? [])]);
  return [...ids]
    .filter((id) => only === undefined || id === only)
    .toSorted()
    .map((id) => rowOf(id, stats.get(id), orders.get(id)?.orders ?? 0, bigintNumber.from(orders.get(id)?.sales ?? 0)));
};
