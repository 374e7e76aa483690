import type { Keyset, PageCursor } from '@platform/data';
import { InvalidInput } from '@platform/errors';
import { chatStatuses, likeText, likeWords } from '../records/public';
import {
  requireStore,
  seesGroups,
  sightOf,
  type AccessRepository,
  type DeviceDirectory,
  type Scope,
} from '../tenancy/public';
import type { ChatListFilter, ChatListQuery } from './chat-list.dto';
import type { ChatListRepository, ListPage } from './chat-list.repository';
import { WINDOW, type ListShape } from './chat-list.sql';
import type { SearchSource } from './chat-search.sql';

const DEFAULT_LIMIT = 50;
const MOST = 200;
const sought = (words: string) => ({ text: likeText(words), name: likeWords(words) });
const required = (field: string): InvalidInput =>
  new InvalidInput([{ field, tag: 'required', message: `${field} is a required field` }]);

interface Wanted {
  readonly shapes: readonly ListShape[];
  readonly filter: Readonly<Record<string, unknown>>;
}

const DIGITS = /^\d{4,}$/;

const sourceOf = ({ search = '', searchType }: ChatListQuery): SearchSource =>
  searchType ?? (DIGITS.test(search) ? 'nohp' : 'nama');

/** Which index serves the question: a search by person, order, ticket or text first, then unread, then team or device. */
const shapeOf = (query: ChatListQuery, allTeams: boolean): Wanted => {
  const { keyword, search, status } = query;
  const filter = keyword === undefined ? {} : { keyword: likeText(keyword) };
  if (search !== undefined)
    return { shapes: [sourceOf(query)], filter: { ...filter, ...sought(search), words: search } };
  if (keyword !== undefined) return { shapes: ['nama', 'nohp', 'newest'], filter: sought(keyword) };
  if (status === 'escalate') return { shapes: ['escalated'], filter: {} };
  if (status === 'unread') return { shapes: ['unread'], filter: {} };
  return { shapes: [allTeams && (status === undefined || status === 'all') ? 'byDevice' : 'byTeam'], filter: {} };
};

const statusOf = (status: string | undefined): number | undefined => {
  const code = chatStatuses.findIndex((name) => name === status);
  return code < 0 ? undefined : code;
};

/** Chats of the caller's own teams need no check one by one; those that others ask its help for do. */
const sightFor = (scope: Scope, teams: readonly string[] | undefined, { shapes }: Wanted): readonly string[] | null => {
  const own = teams?.every((team) => scope.teams?.includes(team)) ?? false;
  return own && !shapes.includes('escalated') ? null : sightOf(scope);
};

const filterOf = (filter: ChatListFilter | undefined, scope: Scope): Record<string, unknown> => {
  const { user_id: user, sort: _sort, store_id: _store, ...rest } = filter ?? {};
  if (user === undefined) return rest;
  if (user === 'none') return { ...rest, unassigned: true };
  // Nobody has the chats of a caller without a name; a member left out would mean all chats
  return { ...rest, user_id: user === 'me' ? (scope.userId ?? '') : user };
};

const PRIORITIES = ['low', 'medium', 'high', 'urgent'];

interface Sortable {
  readonly chatId: string;
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

const body = (records: string, index: string, next: string | null): string =>
  `"data":[${records}],"indexlist":[${index}],"next_cursor":${JSON.stringify(next)}`;

/** The store and teams of a question; `unasked`: whether the caller may look there is still to be found out. */
interface Bounds {
  readonly storeId: string;
  readonly teams: readonly string[] | undefined;
  readonly unasked?: true;
}

export interface ChatListDependencies {
  readonly access: AccessRepository;
  readonly devices: DeviceDirectory;
  readonly cursor: PageCursor;
}

/** The list of conversations: one statement for the page, and one before it where the page needs to know what the caller may see. */
export class ChatListService {
  constructor(
    private readonly repository: ChatListRepository,
    private readonly needs: ChatListDependencies,
  ) {}

  /** The members of chat_list's answer as JSON text. */
  async list(scope: Scope, query: ChatListQuery): Promise<string> {
    const { storeId, teams, unasked } = await this.bounds(scope, query);
    const wanted = shapeOf(query, teams === undefined);
    const sort = query.filter?.sort;
    const sorted = sort !== undefined && sort !== 'waktu_desc';
    const limit = Math.min(Number(query.limit ?? 0) || DEFAULT_LIMIT, MOST);
    const binding = JSON.stringify([storeId, teams ?? null, query.instance, query.status ?? 'all', scope.kind]);
    const page = await this.repository.page({
      shapes: wanted.shapes,
      storeId,
      teams,
      sight: sightFor(scope, teams, wanted),
      status: statusOf(query.status),
      instance: query.instance === 'all' ? undefined : query.instance,
      enters: unasked ?? false,
      groups: seesGroups(scope) && query.not_group !== 'true',
      after: await this.after(scope, query, { binding, unasked }),
      limit: sorted ? WINDOW : limit,
      filter: { ...wanted.filter, ...(await this.found(wanted, storeId)), ...filterOf(query.filter, scope) },
    });
    if (unasked) await this.needs.access.enter(scope, query, page);
    return sorted ? this.sorted(page, sort, limit) : this.byTime(page, binding);
  }

  /** What the page comes after. Who may not look there learns that, not what is wrong with the cursor. */
  private async after(
    scope: Scope,
    query: ChatListQuery,
    { binding, unasked }: { binding: string; unasked: true | undefined },
  ): Promise<Keyset | undefined> {
    if (query.cursor === undefined) return undefined;
    try {
      return this.needs.cursor.read(binding, query.cursor);
    } catch (refused) {
      if (unasked) await this.needs.access.enter(scope, query);
      throw refused;
    }
  }

  private byTime({ records, index, lastAt, lastId, more }: ListPage, binding: string): string {
    const next = more && lastAt && lastId ? this.needs.cursor.write(binding, { lastAt, id: lastId }) : null;
    return body(records, index, next);
  }

  /** A search in messages finds its chats first: too many of them are refused, not cut off at random. */
  private async found({ shapes, filter }: Wanted, storeId: string): Promise<object> {
    if (!shapes.includes('pesan')) return {};
    return { chats: await this.repository.chatsOfWords(storeId, String(filter.words)) };
  }

  /** Other orders than by time work inside the newest thousand and give no cursor (design 2.3). */
  private sorted({ records }: ListPage, sort: string, limit: number): string {
    const compare = order[sort];
    const rows = JSON.parse(`[${records}]`) as Sortable[];
    rows.sort((one, other) => compare?.(one, other) ?? 0).splice(limit);
    const texts = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(',');
    return body(texts(rows), texts(rows.map(({ chatId }) => chatId)), null);
  }

  /** Store and teams of the question, after the checks of design 2.1. */
  private async bounds(scope: Scope, query: ChatListQuery): Promise<Bounds> {
    const { instance, team, filter, keyword, search } = query;
    if (instance !== 'all' && team !== 'all') {
      // Of a store that is known the page is read with the answer, and kept back when that is no
      const plain = filter === undefined && keyword === undefined && search === undefined;
      if (plain && scope.storeId !== undefined) return { storeId: scope.storeId, teams: [team], unasked: true };
      return { storeId: await this.needs.access.enter(scope, { instance, team }), teams: [team] };
    }
    const storeId = await this.store(scope, instance, filter?.store_id);
    if (team === 'all') return { storeId, teams: await this.needs.access.readable(scope, storeId) };
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
