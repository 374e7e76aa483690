import type { Sql } from '@platform/data';
import { InvalidInput } from '@platform/errors';
import { audited, type Writer } from '../../../by';
import { lockStore } from '../../../store.lock';
import { demandSeen } from '../../../web/seen';
import { findDevice } from '../../devices/public';
import { hostOf, USUAL, type Widget, type WidgetChange } from './widget.dto';

const FIND = `SELECT enabled, title, greeting, color, position, device_id, allowed_hosts FROM livechat_widget WHERE store_id = $1`;

/** As it is for a store that has not set it: off. */
export const widgetOf = async (sql: Sql, storeId: string): Promise<Widget> =>
  (await sql.prepared<Widget>('widget', FIND, [storeId]))[0] ?? USUAL;

const PUT = `
  INSERT INTO livechat_widget (store_id, enabled, title, greeting, color, position, device_id, allowed_hosts, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  ON CONFLICT (store_id) DO UPDATE SET enabled = excluded.enabled, title = excluded.title, greeting = excluded.greeting, color = excluded.color,
    position = excluded.position, device_id = excluded.device_id, allowed_hosts = excluded.allowed_hosts, updated_at = excluded.updated_at`;

const hostsOf = (texts: readonly string[]): string[] => {
  const hosts = texts.map((text, at) => {
    const host = hostOf(text);
    if (host !== undefined) return host;
    const field = `allowed_hosts[${at}]`;
    throw new InvalidInput([{ field, tag: 'host', message: `${field} must be the name of a host` }]);
  });
  return [...new Set(hosts)];
};

/** What is not given stays. Throws `InvalidInput`, `NotFound` for a device that the store has not, and `version_conflict` for what was not seen so. */
export const changeWidget = async (tx: Sql, by: Writer, change: WidgetChange, seen?: string): Promise<Widget> => {
  const { storeId, at } = by;
  // There may be no row yet to wait for
  await lockStore(tx, storeId);
  const before = await widgetOf(tx, storeId);
  demandSeen(seen, before);
  const given = change.allowed_hosts && { allowed_hosts: hostsOf(change.allowed_hosts) };
  const after: Widget = { ...before, ...change, ...given };
  if (change.device_id) await findDevice(tx, storeId, change.device_id);
  const { enabled, title, greeting, color, position, device_id, allowed_hosts } = after;
  await tx.query(PUT, [storeId, enabled, title, greeting, color, position, device_id, allowed_hosts, at]);
  await audited(tx, by, { action: 'settings.write', type: 'livechat_widget', id: storeId, before, after });
  return after;
};

/** The same with the number of its device; null: it has none. */
export const widgetFace = async (sql: Sql, storeId: string): Promise<Widget & { readonly number: string | null }> => {
  const widget = await widgetOf(sql, storeId);
  const find = 'SELECT number FROM device WHERE store_id = $1 AND id = $2';
  const [device] = await sql.query<{ number: string | null }>(find, [storeId, widget.device_id]);
  return { ...widget, number: device?.number ?? null };
};
