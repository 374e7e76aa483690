import type { Sql } from '@platform/data';
import { InvalidInput } from '@platform/errors';
import { noticeEvents, type NoticeEvent } from '../../../notice.types';
import { usualWays, type Ways } from '../notice.events';
import type { Preferences, PreferencesChange } from './preferences.dto';

/** A member of a store. */
export interface Member {
  readonly storeId: string;
  readonly userId: string;
}

const READ = `SELECT p.event, p.in_app, p.email, p.whatsapp FROM notification_preference p WHERE p.store_id = $1 AND p.user_id = $2`;

const chosen = async (sql: Sql, { storeId, userId }: Member): Promise<Map<string, Ways>> => {
  const rows = await sql.query<Ways & { readonly event: string }>(READ, [storeId, userId]);
  return new Map(rows.map(({ event, ...ways }) => [event, ways]));
};

/** The ways of every event: chosen ones, and the usual ones of the others. */
export const preferencesOf = async (sql: Sql, member: Member): Promise<Preferences> => {
  const known = await chosen(sql, member);
  const shown = noticeEvents.map((event) => [event, { ...(known.get(event) ?? usualWays(event)), push: false }]);
  return Object.fromEntries(shown) as Preferences;
};

const refusePush = (event: string): InvalidInput => {
  const field = `${event}.push`;
  return new InvalidInput([
    { field, tag: 'unavailable', message: `${field} is not offered: browsers are not pushed to` },
  ]);
};

/** Of two changes at once the later one sees the other's. */
const TURN = `SELECT pg_advisory_xact_lock(hashtextextended('preferences ' || $1 || ' ' || $2, 0))`;
const WRITE = `
  INSERT INTO notification_preference AS p (store_id, user_id, event, in_app, email, whatsapp)
  SELECT $1::varchar, $2::uuid, g.event, g.in_app, g.email, g.whatsapp
  FROM jsonb_to_recordset($3::jsonb) AS g (event text, in_app boolean, email boolean, whatsapp boolean)
  ON CONFLICT (store_id, user_id, event)
  DO UPDATE SET in_app = excluded.in_app, email = excluded.email, whatsapp = excluded.whatsapp`;

/** Changes the given ways of the given events. Throws `InvalidInput` where one is to be a push. */
export const changePreferences = async (tx: Sql, member: Member, change: PreferencesChange): Promise<Preferences> => {
  const given = Object.entries(change) as [NoticeEvent, NonNullable<PreferencesChange[NoticeEvent]>][];
  const pushed = given.find(([, { push }]) => push);
  if (pushed) throw refusePush(pushed[0]);
  await tx.query(TURN, [member.storeId, member.userId]);
  const before = await preferencesOf(tx, member);
  const rows = given.map(([event, { push: _push, ...ways }]) => {
    const { in_app, email, whatsapp } = { ...before[event], ...ways };
    return { event, in_app, email, whatsapp };
  });
  await tx.query(WRITE, [member.storeId, member.userId, JSON.stringify(rows)]);
  return preferencesOf(tx, member);
};
