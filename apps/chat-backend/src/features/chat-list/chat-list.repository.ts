import { NEWEST, type Keyset, type Sql } from '@platform/data';
import type { Searches } from '../../searches';
import { refusals, type Doorway } from '../tenancy/public';
import { listStatement, PAGES, type ListForm, type ListShape } from './chat-list.sql';
import { CHATS_OF_WORDS, MOST_FOUND } from './chat-search.sql';

export interface ListRequest {
  readonly shapes: readonly ListShape[];
  readonly storeId: string;
  /** Asked for; undefined: all. */
  readonly teams: readonly string[] | undefined;
  /** What the caller may see: `sightOf`. */
  readonly sight: readonly string[] | null;
  /** Code of the one asked for; undefined: any. */
  readonly status: number | undefined;
  readonly instance: string | undefined;
  /** Whether the page tells the `Doorway` of the one team on the one device. */
  readonly enters: boolean;
  readonly groups: boolean;
  readonly after: Keyset | undefined;
  readonly limit: number;
  /** Members of the filter and of a search, names as the SQL reads them. */
  readonly filter: Readonly<Record<string, unknown>>;
}

export interface ListPage extends Partial<Doorway> {
  /** ChatListStructs as JSON text, separated by commas, newest first. */
  readonly records: string;
  /** Their chatIds, the same way. */
  readonly index: string;
  /** Of the last one. */
  readonly lastAt: string | null;
  readonly lastId: string | null;
  readonly more: boolean;
}

const EMPTY: ListPage = { records: '', index: '', lastAt: null, lastId: null, more: false };
const statements = new Map<string, string>();
const statement = (form: ListForm): [name: string, text: string] => {
  const name = `chat_list ${Object.values(form).flat().join(' ')}`;
  const text = statements.get(name) ?? listStatement(form);
  statements.set(name, text);
  return [name, text];
};

const teamsOf = (teams: readonly string[] | undefined): Pick<ListForm, 'teams'> & { readonly values: unknown[] } => {
  if (teams === undefined) return { teams: 'all', values: [] };
  return teams.length === 1 ? { teams: 'one', values: [...teams] } : { teams: 'some', values: [teams] };
};

export class ChatListRepository {
  constructor(
    private readonly database: Pick<Sql, 'prepared'>,
    private readonly searches: Searches,
  ) {}

  /** At most `limit` records in order of the last message, newest first. Refuses what takes longer than three seconds. */
  page(request: ListRequest): Promise<ListPage> {
    const filtered = Object.keys(request.filter).length > 0;
    if (!filtered) return this.read(this.database, request);
    return this.searches.run(request.storeId, (sql) => this.read(sql, request));
  }

  /** Ids of chats in which somebody wrote these words lately; refuses words that too many chats have. */
  async chatsOfWords(storeId: string, words: string): Promise<readonly string[]> {
    const [hits] = await this.searches.run(storeId, (sql) =>
      sql.prepared<{ found: number; chats: string[] }>('chat_list_words', CHATS_OF_WORDS, [storeId, words]),
    );
    if ((hits?.found ?? 0) > MOST_FOUND) throw refusals.tooBroad();
    return hits?.chats ?? [];
  }

  private async read(sql: Pick<Sql, 'prepared'>, request: ListRequest): Promise<ListPage> {
    const { shapes, storeId, sight, status, instance, enters, groups, after = NEWEST, limit, filter } = request;
    const { teams, values } = teamsOf(request.teams);
    const form: ListForm = {
      shapes,
      status,
      teams,
      instance: instance !== undefined,
      sight: sight !== null,
      filter: Object.keys(filter).length > 0,
      groups,
      enters,
      most: PAGES.find((most) => limit <= most) ?? limit,
    };
    if (instance !== undefined) values.push(instance);
    if (sight !== null) values.push(sight);
    if (form.filter) values.push(filter);
    const given = [storeId, after.lastAt, after.id, limit, ...values];
    const [page = EMPTY] = await sql.prepared<ListPage>(...statement(form), given);
    return page;
  }
}
