import type { Sql } from '@platform/data';
import type { Notice } from '../../../notice.types';
import { mayHear, type Listener } from '../notice.audience';
import { usualWays, type Ways } from '../notice.events';

/** A member who is told, and how. */
export interface Recipient {
  readonly userId: string;
  readonly ways: Ways;
}

/** As they are until the transaction ends: of who leaves meanwhile nothing stays. */
const MEMBERS = `
  SELECT m.user_id AS "userId", m.system_role AS role, r.abilities, p.in_app, p.email, p.whatsapp, p.push
  FROM membership m
    JOIN store s ON s.store_id = m.store_id AND s.status <> 'suspended'
    LEFT JOIN role r ON r.store_id = m.store_id AND r.id = m.role_id
    LEFT JOIN notification_preference p ON p.store_id = m.store_id AND p.user_id = m.user_id AND p.event = $2
  WHERE m.store_id = $1 AND m.status = 'active' AND ($3::uuid[] IS NULL OR m.user_id = ANY ($3::uuid[]))
  ORDER BY m.user_id FOR KEY SHARE OF m`;

type Row = Listener & { readonly userId: string } & { readonly [way in keyof Ways]: boolean | null };

/** Active members of an open store: those who are named, or else those whose abilities cover the event; nobody of a suspended one. */
export const recipientsOf = async (sql: Sql, { storeId, event, userIds }: Notice): Promise<Recipient[]> => {
  const rows = await sql.query<Row>(MEMBERS, [storeId, event, userIds ?? null]);
  return rows
    .filter((row) => userIds !== undefined || mayHear(row, event))
    .map(({ userId, in_app, email, whatsapp, push }) => {
      const usual = usualWays(event);
      const ways = {
        in_app: in_app ?? usual.in_app,
        email: email ?? usual.email,
        whatsapp: whatsapp ?? usual.whatsapp,
        push: push ?? usual.push,
      };
      return { userId, ways };
    });
};
