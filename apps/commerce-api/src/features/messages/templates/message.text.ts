import type { Sql } from '@platform/data';
import { defaultBodies, type Locale, type MessageEvent, type ValuesOf } from './message.events';
import { render } from './render';

const BODY = `
  SELECT coalesce((SELECT g.value ->> 'locale' FROM setting g WHERE g.store_id = $1 AND g.name = 'general'), 'id') AS locale,
    (SELECT t.body FROM message_template t WHERE t.store_id = $1 AND t.event = $2 AND t.active) AS body,
    EXISTS (SELECT FROM message_template t WHERE t.store_id = $1 AND t.event = $2) AS known`;

interface Body {
  readonly locale: Locale;
  readonly body: string | null;
  readonly known: boolean;
}

const bodyOf = async (sql: Sql, storeId: string, event: MessageEvent): Promise<Body> => {
  const [row] = await sql.prepared<Body>('message body', BODY, [storeId, event]);
  return row as Body;
};

/** How a store tells of an event to somebody who waits for it: in the words of its active template, or else in the usual ones of its language. */
export const messageSay = async <E extends MessageEvent>(
  sql: Sql,
  storeId: string,
  event: E,
): Promise<(values: ValuesOf<E>) => string> => {
  const { body, locale } = await bodyOf(sql, storeId, event);
  return (values) => render(body ?? defaultBodies[locale][event], values);
};

/** The text of it. */
export const messageText = async <E extends MessageEvent>(
  sql: Sql,
  storeId: string,
  event: E,
  values: ValuesOf<E>,
): Promise<string> => (await messageSay(sql, storeId, event))(values);

/** In the words of the store's active template; undefined without one. */
export const ownText = async <E extends MessageEvent>(
  sql: Sql,
  storeId: string,
  event: E,
  values: ValuesOf<E>,
): Promise<string | undefined> => {
  const { body } = await bodyOf(sql, storeId, event);
  return body === null ? undefined : render(body, values);
};

/** The same of what nobody has asked for; undefined where the store has switched all its templates of the event off. */
export const newsText = async <E extends MessageEvent>(
  sql: Sql,
  storeId: string,
  event: E,
  values: ValuesOf<E>,
): Promise<string | undefined> => {
  const { body, known, locale } = await bodyOf(sql, storeId, event);
  return body === null && known ? undefined : render(body ?? defaultBodies[locale][event], values);
};
