import { STORED_COLUMNS, storedJoins, storedListRecord } from '../records/public';
import { asks, doorway, visible } from '../tenancy/public';
import { residual } from './chat-filter.sql';
import { searches, type SearchSource } from './chat-search.sql';

/**
 * How a page of conversations is found (design section 4): every shape is a bounded number of ordered index ranges, merged.
 */
export type ListShape = 'byTeam' | 'byDevice' | 'unread' | 'escalated' | 'newest' | SearchSource;

/**
 * What a question says. What it does not say is not in its statement either, and what has few values is written into it:
 * PostgreSQL keeps one plan for all only when a plan without the values is estimated as cheap as one with them, and planning
 * costs as much as half a page.
 */
export interface ListForm {
  readonly shapes: readonly ListShape[];
  /** Code of the one status asked for; undefined: any. */
  readonly status: number | undefined;
  readonly teams: 'one' | 'some' | 'all';
  readonly instance: boolean;
  readonly sight: boolean;
  readonly filter: boolean;
  readonly groups: boolean;
  /** Reads the `Doorway` of the one team on the one device in the same statement. */
  readonly enters: boolean;
  /** The page has no more than this; one of `PAGES`. */
  readonly most: number;
}

export const PAGES = [50, 200, 1000] as const;

/** Numbers of the parameters: the first four are always there, in this order. */
const numbered = ({ teams, instance, sight, filter }: ListForm) => {
  let last = 4;
  const next = (said: boolean): string | undefined => (said ? `$${(last += 1)}` : undefined);
  return {
    teams: next(teams !== 'all'),
    instance: next(instance),
    sight: next(sight),
    filter: next(filter),
  };
};

const KEYSET = '(c.last_at, c.id) < ($2::timestamptz, $3::uuid)';
const COLUMNS = 'c.id, c.last_at';
const WHOLE = [COLUMNS, ...STORED_COLUMNS.map((column) => `c.${column}`)].join(', ');
/** Other orders than by time, and words of the last message, are looked for inside the newest thousand of the store. */
export const WINDOW = 1000;

/**
 * The newest of a range, read in the order of its index. The number is hidden in a query because the planner takes a limit it does not know for a tenth
 * of the rows: where stores are small on average it reckoned with fewer rows than a page, read all of a large device or team, and sorted them.
 */
const newestOf = (most: number): string => `ORDER BY c.last_at DESC, c.id DESC LIMIT (SELECT ${most})`;

const STATUSES = '(VALUES (0::smallint), (1), (2), (3)) st(status)';

/**
 * Every value that chats of the store have in a column, one probe of an index each. Not the rows of teams or devices: a chat
 * whose team or device is gone would be in no list.
 */
const inUse = (column: 'team_id' | 'instance'): string => `(
    WITH RECURSIVE each AS (
      SELECT (SELECT min(x.${column}) FROM conversations x WHERE x.store_id = $1) AS name
      UNION ALL SELECT (SELECT min(x.${column}) FROM conversations x WHERE x.store_id = $1 AND x.${column} > e.name) FROM each e WHERE e.name IS NOT NULL)
    SELECT name FROM each WHERE name IS NOT NULL)`;

/** The teams asked for, as a condition on a column and as rows; without a parameter all of the store. */
const teamsAs = (teams: string | undefined, one: boolean) => {
  if (teams === undefined) return { are: () => 'true', each: `${inUse('team_id')} t(team)` };
  return one
    ? { are: (column: string) => `${column} = ${teams}`, each: `(VALUES (${teams}::text)) t(team)` }
    : {
        are: (column: string) => `${column} = ANY (${teams}::text[])`,
        each: `unnest(${teams}::text[]) AS t(team)`,
      };
};

/**
 * Whether the ranges carry what the records are made of. They see the rows anyway, and a second visit by key is a quarter of the
 * page (measured); where many ranges find fifty rows each, most are dropped again.
 */
const carries = ({ shapes, teams }: ListForm): boolean =>
  shapes.length === 1 && (shapes[0] === 'byDevice' || (shapes[0] === 'byTeam' && teams === 'one'));

const conditionsOf = (form: ListForm) => {
  const { teams, instance, sight, filter } = numbered(form);
  const { are, each } = teamsAs(teams, form.teams === 'one');
  const inTeams = are('c.team_id');
  const inStatus = form.status === undefined ? 'true' : `c.status = ${form.status}`;
  const allowed = [
    sight ? visible('c', sight, String(form.groups)) : form.groups ? 'true' : 'NOT c.is_group',
    instance ? `c.instance = ${instance}` : 'true',
    filter ? residual(filter) : 'true',
  ].join(' AND ');
  return {
    columns: carries(form) ? WHOLE : COLUMNS,
    inTeams,
    allowed,
    inStatus,
    /** Everything but the order of pages, for shapes that do not follow an index of teams. */
    within: `${KEYSET} AND ${inTeams} AND ${inStatus} AND ${allowed}`,
    eachTeam: each,
    eachStatus: form.status === undefined ? STATUSES : `(VALUES (${form.status}::smallint)) st(status)`,
    order: newestOf(form.most + 1),
    eachDevice: instance ? `(VALUES (${instance}::text)) d(instance)` : `${inUse('instance')} d(instance)`,
    // Whoever asks for chats of all teams that it may see also sees those that ask it for help
    asked: [teams && are('e.to_team'), sight && asks('e', sight)].filter(Boolean).join(' OR '),
    filter: filter ?? '',
    seen: form.enters && teams && instance ? `, ${doorway(instance, teams, '$1')}` : '',
  };
};
type Conditions = ReturnType<typeof conditionsOf>;

/** One range of conversations_team per team and status. */
const byTeam = ({ columns, eachTeam, eachStatus, allowed, order }: Conditions): string => `
  SELECT ${columns} FROM ${eachTeam} CROSS JOIN ${eachStatus} CROSS JOIN LATERAL (
    SELECT ${columns} FROM conversations c WHERE c.store_id = $1 AND c.team_id = t.team AND c.status = st.status AND ${KEYSET} AND ${allowed} ${order}) c ${order}`;

/** One range of conversations_device per device: cheaper than teams x statuses when every team is asked for. */
const byDevice = ({ columns, eachDevice, within, order }: Conditions): string => `
  SELECT ${columns} FROM ${eachDevice} CROSS JOIN LATERAL (
    SELECT ${columns} FROM conversations c WHERE c.store_id = $1 AND c.instance = d.instance AND ${within} ${order}) c ${order}`;

/** One range of conversations_unread per team. */
const unread = ({ eachTeam, inStatus, allowed, order }: Conditions): string => `
  SELECT ${COLUMNS} FROM ${eachTeam} CROSS JOIN LATERAL (
    SELECT ${COLUMNS} FROM conversations c WHERE c.store_id = $1 AND c.team_id = t.team AND c.unread_count > 0 AND ${KEYSET} AND ${inStatus} AND ${allowed} ${order}) c ${order}`;

/** Open escalations are few and in a table of their own: those of the teams asked for, and those that ask these teams for help. */
const escalated = ({ inTeams, inStatus, asked, allowed, order }: Conditions): string => `
  SELECT ${COLUMNS} FROM escalations e JOIN conversations c ON c.store_id = e.store_id AND c.id = e.conversation_id
  WHERE e.store_id = $1 AND (${[inTeams, asked].filter(Boolean).join(' OR ')}) AND ${inStatus} AND ${KEYSET} AND ${allowed} ${order}`;

/** Text of the last message, inside the newest thousand of the store: the row changes too often for a text index. */
const newest = ({ within, filter, order }: Conditions): string => `
  SELECT ${COLUMNS} FROM (
    SELECT c.* FROM ${inUse('instance')} d(instance) CROSS JOIN LATERAL (
      SELECT c.* FROM conversations c WHERE c.store_id = $1 AND c.instance = d.instance ${newestOf(WINDOW)}) c
    ${newestOf(WINDOW)}) c
  WHERE c.last_text ILIKE ${filter}::jsonb->>'text' AND ${within} ${order}`;

const found = (source: SearchSource, { within, filter, order }: Conditions): string =>
  `SELECT ${COLUMNS} FROM conversations c WHERE c.store_id = $1 AND ${searches[source](filter)} AND ${within} ${order}`;

const shapes = { byTeam, byDevice, unread, escalated, newest };
const isShape = (shape: ListShape): shape is keyof typeof shapes => shape in shapes;

/**
 * One statement for the whole page: ids by the shapes, then the records of those ids as one JSON text in order. One id more
 * than asked for shows that there is a next page.
 * $1 store  $2,$3 keyset  $4 limit; then what the form says: team or teams, instance, sight, filter
 */
export const listStatement = (form: ListForm): string => {
  const conditions = conditionsOf(form);
  const { columns, order, seen } = conditions;
  const ranges = form.shapes.map((shape) => (isShape(shape) ? shapes[shape](conditions) : found(shape, conditions)));
  const shown = carries(form) ? 'shown c' : 'shown p JOIN conversations c ON c.store_id = $1 AND c.id = p.id';
  return `
  WITH s AS MATERIALIZED (SELECT * FROM stores WHERE store_id = $1),
  page AS MATERIALIZED (
    SELECT ${columns} FROM (${ranges.map((range) => `(${range})`).join(' UNION ')}) c ${order}),
  shown AS (SELECT * FROM page ORDER BY last_at DESC, id DESC LIMIT $4::int),
  records AS (
    SELECT c.id, c.last_at, ${storedListRecord('c', 's')} AS record
    FROM ${shown} CROSS JOIN s ${storedJoins('c', 's')})
  SELECT coalesce(string_agg(record, ',' ORDER BY last_at DESC, id DESC), '') AS records,
    coalesce(string_agg('"' || $1 || '.' || id || '"', ',' ORDER BY last_at DESC, id DESC), '') AS index,
    min(last_at)::text AS "lastAt", (array_agg(id ORDER BY last_at DESC, id DESC))[count(*)::int]::text AS "lastId",
    (SELECT count(*) FROM page) > $4::int AS more${seen}
  FROM records`;
};
