import { InvalidInput } from '@platform/errors';
import { chatStatuses } from '../records/record.sql';
import type { AccessRepository } from '../tenancy/access.repository';
import type { DeviceDirectory } from '../tenancy/device.directory';
import { requireStore, seesGroups, sightOf, type Scope } from '../tenancy/scope';
import type { ChatListFilter, ChatListQuery } from './chat-list.dto';
import type { ChatListRepository, ListRequest, ListRow } from './chat-list.repository';
import type { ListShape } from './chat-list.sql';
import type { PageCursor } from './page-cursor';

const DEFAULT_LIMIT = 50;
const MOST = 200;
/** Other orders than by time work inside the newest thousand and give no cursor (design 2.3). */
const SORT_WINDOW = 1000;

const contains = (words: string | undefined): string | undefined =>
  words === undefined ? undefined : `%${words.replace(/[\\%_]/g, '\\$&')}%`;
const required = (field: string): InvalidInput =>
  new InvalidInput([{ field, tag: 'required', message: `${field} is a required field` }]);

type Wanted = Pick<ListRequest, 'shapes' | 'filter'>;

/** Which index serves the question: a search by person or text first, then unread, then team or device. */
const shapeOf = (query: ChatListQuery, allTeams: boolean): Wanted => {
  const { keyword, search, searchType, status } = query;
  const digits = search !== undefined && searchType === undefined && /^\d{4,}$/.test(search);
  if (search !== undefined && searchType === 'pesan') return { shapes: ['newest'], filter: { text: contains(search) } };
  if (search !== undefined)
    return {
      shapes: ['people'],
      filter: searchType === 'nohp' || digits ? { number: contains(search) } : { name: contains(search) },
    };
  if (keyword !== undefined)
    return {
      shapes: ['people', 'newest'],
      filter: { name: contains(keyword), number: contains(keyword), text: contains(keyword) },
    };
  if (status === 'escalate') return { shapes: ['escalated'], filter: {} };
  const shapes: ListShape[] = [
    status === 'unread' ? 'unread' : allTeams && (status === undefined || status === 'all') ? 'byDevice' : 'byTeam',
  ];
  return { shapes, filter: {} };
};

const statusesOf = (status: string | undefined): number[] => {
  const index = chatStatuses.findIndex((name) => name === status);
  return index < 0 ? chatStatuses.map((_, code) => code) : [index];
};

const filterOf = (filter: ChatListFilter | undefined, scope: Scope): Record<string, unknown> => {
  const { user_id: user, sort: _sort, store_id: _store, ...rest } = filter ?? {};
  if (user === undefined) return rest;
  return user === 'none' ? { ...rest, unassigned: true } : { ...rest, user_id: user === 'me' ? scope.userId : user };
};

const PRIORITIES = ['low', 'medium', 'high', 'urgent'];

interface Sortable {
  readonly unread: number;
  readonly waiting_since: number | null;
  readonly prioritas: string | null;
  readonly timestamp: number;
}

const order: Record<string, (one: Sortable, other: Sortable) => number> = {
  waktu_asc: (one, other) => one.timestamp - other.timestamp,
  unread: (one, other) => other.unread - one.unread,
  waiting: (one, other) => (one.waiting_since ?? Infinity) - (other.waiting_since ?? Infinity),
  prioritas: (one, other) => PRIORITIES.indexOf(other.prioritas ?? '') - PRIORITIES.indexOf(one.prioritas ?? ''),
};

export interface ChatListDependencies {
  readonly access: AccessRepository;
  readonly devices: DeviceDirectory;
  readonly cursor: PageCursor;
}

/** The list of conversations: one statement to find out what the caller may see, one for the page. */
export class ChatListService {
  constructor(
    private readonly repository: ChatListRepository,
    private readonly needs: ChatListDependencies,
  ) {}

  /** Body of chat_list as JSON text without the envelope. */
  async list(scope: Scope, query: ChatListQuery): Promise<string> {
    const { storeId, teams } = await this.bounds(scope, query);
    const wanted = shapeOf(query, teams === undefined);
    const sort = query.filter?.sort;
    const sorted = sort !== undefined && sort !== 'waktu_desc';
    const limit = Math.min(Number(query.limit ?? 0) || DEFAULT_LIMIT, MOST);
    const binding = JSON.stringify([storeId, teams ?? null, query.instance, query.status ?? 'all', scope.kind]);
    const rows = await this.repository.page({
      ...wanted,
      storeId,
      teams,
      sight: sightOf(scope),
      statuses: statusesOf(query.status),
      instance: query.instance === 'all' ? undefined : query.instance,
      groups: seesGroups(scope) && query.not_group !== 'true',
      after: query.cursor === undefined ? undefined : this.needs.cursor.read(binding, query.cursor),
      limit: sorted ? SORT_WINDOW : limit + 1,
      filter: { ...wanted.filter, ...filterOf(query.filter, scope) },
    });
    return sorted
      ? this.body(this.sort(rows, sort).slice(0, limit), storeId, null)
      : this.page(rows, limit, storeId, binding);
  }

  private page(rows: readonly ListRow[], limit: number, storeId: string, binding: string): string {
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    return this.body(shown, storeId, rows.length > limit && last ? this.needs.cursor.write(binding, last) : null);
  }

  private sort(rows: readonly ListRow[], sort: string): ListRow[] {
    const compare = order[sort];
    const read = rows.map((row) => ({ row, values: JSON.parse(row.record) as Sortable }));
    return read.sort((one, other) => compare?.(one.values, other.values) ?? 0).map(({ row }) => row);
  }

  private body(rows: readonly ListRow[], storeId: string, next: string | null): string {
    const data = rows.map(({ record }) => record).join(',');
    return `{"data":[${data}],"indexlist":${JSON.stringify(rows.map(({ id }) => `${storeId}.${id}`))},"next_cursor":${JSON.stringify(next)}}`;
  }

  /** Store and teams of the question, after the checks of design 2.1. */
  private async bounds(
    scope: Scope,
    { instance, team, filter }: ChatListQuery,
  ): Promise<{ storeId: string; teams: readonly string[] | undefined }> {
    if (instance !== 'all' && team !== 'all')
      return { storeId: await this.needs.access.enter(scope, { instance, team }), teams: [team] };
    const storeId = await this.store(scope, instance, filter?.store_id);
    if (team === 'all') return { storeId, teams: scope.teams };
    await this.needs.access.enterTeam(scope, storeId, team);
    return { storeId, teams: [team] };
  }

  private async store(scope: Scope, instance: string, named: string | undefined): Promise<string> {
    if (instance !== 'all') return requireStore(scope, (await this.needs.devices.find(instance))?.storeId);
    if (scope.storeId !== undefined) return scope.storeId;
    if (scope.kind === 'admin' && named !== undefined) return named;
    throw required(scope.kind === 'admin' ? 'filter.store_id' : 'instance');
  }
}
