import type { Sql } from '@platform/data';
import { listStatement, type ListShape } from './chat-list.sql';

/** Where a page begins: behind this conversation in (last_at, id) order. */
export interface Keyset {
  readonly lastAt: string;
  readonly id: string;
}

export interface ListRequest {
  readonly shapes: readonly ListShape[];
  readonly storeId: string;
  /** Asked for; undefined: all. */
  readonly teams: readonly string[] | undefined;
  /** As what the caller sees chats: `sightOf`. */
  readonly sight: readonly string[] | null;
  readonly statuses: readonly number[];
  readonly instance: string | undefined;
  readonly groups: boolean;
  readonly after: Keyset | undefined;
  readonly limit: number;
  /** Members of the residual filter, names as the SQL reads them. */
  readonly filter: Readonly<Record<string, unknown>>;
}

export interface ListRow {
  readonly id: string;
  readonly lastAt: string;
  /** ChatListStruct as JSON text. */
  readonly record: string;
}

const START: Keyset = { lastAt: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

export class ChatListRepository {
  constructor(private readonly sql: Sql) {}

  /** At most `limit` rows in order of the last message, newest first. */
  page(request: ListRequest): Promise<ListRow[]> {
    const { shapes, storeId, teams, sight, statuses, instance, groups, after = START, limit, filter } = request;
    const values = [
      storeId,
      teams ?? null,
      statuses,
      instance ?? null,
      groups,
      after.lastAt,
      after.id,
      limit,
      sight,
      filter,
    ];
    return this.sql.prepared<ListRow>(`chat_list_${shapes.join('_')}`, listStatement(shapes), values);
  }
}
