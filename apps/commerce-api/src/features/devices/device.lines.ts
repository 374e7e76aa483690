import type { Sql } from '@platform/data';
import { InvalidInput } from '@platform/errors';
import type { IsOut, Line } from '../../clients/chat.messages';
import { refusals } from '../../refusals';
import type { DeviceStates } from './device.states';

/** Of a device without a team the first one for customers, as chat-backend has it. */
const LINE = `
  SELECT d.instance_id AS instance, coalesce(d.chat_team_id,
    (SELECT t.id FROM chat_team t WHERE t.store_id = $1 AND t.kind = 'cs' ORDER BY t.id LIMIT 1)) AS team
  FROM device d WHERE d.store_id = $1`;
export const LINES = `${LINE} ORDER BY d.created_at, d.id`;
const BY_ID = `${LINE} AND d.id = $2`;

/** How this device writes. Throws `NotFound` for one that the store has not, and `InvalidInput` where no team could have its chats. */
export const lineOf = async (sql: Sql, storeId: string, deviceId: string): Promise<Line> => {
  const [line] = await sql.prepared<Line & { readonly team: string | null }>('device line', BY_ID, [storeId, deviceId]);
  if (!line) throw refusals.notHere('device_id', 'is not a device of this store');
  if (line.team !== null) return line;
  const message = 'device_id has no chat team, and the store has none';
  throw new InvalidInput([{ field: 'device_id', tag: 'team', message }]);
};

/** By which device, and as whose chat, a store writes to somebody who has not written: its oldest one that is connected. Undefined: none is. */
export const connectedLine =
  (sql: Sql, states: Pick<DeviceStates, 'of'>) =>
  async (storeId: string): Promise<Line | undefined> => {
    const lines = await sql.prepared<Line & { readonly team: string | null }>('device lines', LINES, [storeId]);
    const usable = lines.filter(({ team }) => team !== null);
    const known = await states.of(usable.map(({ instance }) => instance));
    return usable.find(({ instance }) => known.get(instance)?.status === 'connected');
  };

/** Logged out, or without a session, as far as the gateway tells: what is unknown or connects again is neither. */
export const isLoggedOut =
  (states: Pick<DeviceStates, 'of'>): IsOut =>
  async (instance) => {
    const now = (await states.of([instance])).get(instance);
    return now === null || now?.status === 'logged_out';
  };
