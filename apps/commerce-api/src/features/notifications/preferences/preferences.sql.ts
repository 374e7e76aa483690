import type { Sql } from '@platform/data';
import { InvalidInput } from '@platform/errors';
import { noticeEvents, type NoticeEvent } from '../../../notice.types';
import { usualWays, ways, waysFor, type Way, type Ways } from '../notice.events';
import type { EventWays, WaysChange } from './preferences.dto';

/** A member of a store. */
export interface Member {
  readonly storeId: string;
  readonly userId: string;
}

const READ = `SELECT p.event, p.in_app, p.email, p.whatsapp, p.push FROM notification_preference p WHERE p.store_id = $1 AND p.user_id = $2`;

type Chosen = Omit<Ways, 'push'> & { readonly push: boolean | null };

const chosen = async (sql: Sql, { storeId, userId }: Member): Promise<Map<string, Chosen>> => {
  const rows = await sql.prepared<Chosen & { readonly event: string }>('notification ways', READ, [storeId, userId]);
  return new Map(rows.map(({ event, ...ways }) => [event, ways]));
};

/** The ways of every event: chosen ones, and the usual ones of the others. `canPush`: browsers are pushed to; else nobody is told so. */
export const preferencesOf = async (sql: Sql, member: Member, canPush: boolean): Promise<EventWays> => {
  const known = await chosen(sql, member);
  const shown = noticeEvents.map((event) => {
    const [usual, own] = [usualWays(event), known.get(event)];
    const push = canPush && (own?.push ?? usual.push);
    return [event, { ...usual, ...own, push }];
  });
  return Object.fromEntries(shown) as EventWays;
};

const unavailable = (event: string, way: Way): InvalidInput => {
  const field = `${event}.${way}`;
  const why = way === 'push' ? 'browsers are not pushed to' : 'it is told by push alone';
  return new InvalidInput([{ field, tag: 'unavailable', message: `${field} is not offered: ${why}` }]);
};

/** Throws `InvalidInput` for a way that there is not. */
const demandOffered = (event: NoticeEvent, wanted: NonNullable<WaysChange[NoticeEvent]>, canPush: boolean): void => {
  const offered = waysFor(event, canPush);
  const missing = ways.find((way) => wanted[way] === true && !offered.includes(way));
  if (missing) throw unavailable(event, missing);
};

/** Of two changes at once the later one sees the other's. */
const TURN = `SELECT pg_advisory_xact_lock(hashtextextended('preferences ' || $1 || ' ' || $2, 0))`;
/** A push that could not be chosen stays as it was. */
const WRITE = `
  INSERT INTO notification_preference AS p (store_id, user_id, event, in_app, email, whatsapp, push)
  SELECT $1::varchar, $2::uuid, g.event, g.in_app, g.email, g.whatsapp, g.push
  FROM jsonb_to_recordset($3::jsonb) AS g (event text, in_app boolean, email boolean, whatsapp boolean, push boolean)
  ON CONFLICT (store_id, user_id, event)
  DO UPDATE SET in_app = excluded.in_app, email = excluded.email, whatsapp = excluded.whatsapp, push = coalesce(excluded.push, p.push)`;

/** Changes the given ways of the given events. Throws `InvalidInput` for a way that there is not. */
export const changePreferences = async (
  tx: Sql,
  member: Member,
  change: WaysChange,
  canPush: boolean,
): Promise<EventWays> => {
  const given = Object.entries(change) as [NoticeEvent, NonNullable<WaysChange[NoticeEvent]>][];
  for (const [event, wanted] of given) demandOffered(event, wanted, canPush);
  await tx.query(TURN, [member.storeId, member.userId]);
  const before = await preferencesOf(tx, member, canPush);
  const rows = given.map(([event, wanted]) => {
    const { in_app, email, whatsapp, push } = { ...before[event], ...wanted };
    return { event, in_app, email, whatsapp, push: canPush ? push : null };
  });
  await tx.query(WRITE, [member.storeId, member.userId, JSON.stringify(rows)]);
  return preferencesOf(tx, member, canPush);
};
