import type { Sql } from '@platform/data';
import { InvalidInput } from '@platform/errors';
import { audited, type Writer } from '../../../by';
import { demandSeen } from '../../../web/seen';
import type { ChatCopies, CopiedRows } from '../../chat/copies/public';
import type { Welcome, WelcomeChange } from './welcomes.dto';

const FIND = 'SELECT enabled, text, agent_id, once_per_hours FROM welcome_message WHERE store_id = $1';
const NONE: Welcome = { enabled: false, text: '', agent_id: null, once_per_hours: 0 };

export const welcomeOf = async (sql: Sql, storeId: string): Promise<Welcome> =>
  (await sql.prepared<Welcome>('welcome', FIND, [storeId]))[0] ?? NONE;

const PUT = `
  INSERT INTO welcome_message (store_id, enabled, text, agent_id, once_per_hours, updated_at) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (store_id) DO UPDATE SET enabled = excluded.enabled, text = excluded.text, agent_id = excluded.agent_id,
    once_per_hours = excluded.once_per_hours, updated_at = excluded.updated_at`;

/** What is not given stays. Throws `InvalidInput` for one that is on and says nothing. */
export const changeWelcome = async (
  tx: Sql,
  copies: Pick<ChatCopies, 'touched'>,
  by: Writer,
  change: WelcomeChange,
  seen?: string,
): Promise<Welcome> => {
  const { storeId, at } = by;
  // The store's turn: there may be no row yet to wait for
  await tx.query('SELECT 1 FROM store WHERE store_id = $1 FOR NO KEY UPDATE', [storeId]);
  const before = await welcomeOf(tx, storeId);
  demandSeen(seen, before);
  const after: Welcome = { ...before, ...change };
  if (after.enabled && after.text === '')
    throw new InvalidInput([{ field: 'text', tag: 'required', message: 'text is a required field' }]);
  await tx.query(PUT, [storeId, after.enabled, after.text, after.agent_id, after.once_per_hours, at]);
  await audited(tx, by, { action: 'agent.write', type: 'welcome_message', id: storeId, before, after });
  await copies.touched(tx, storeId, 'welcomes', [storeId]);
  return after;
};

const NAMELESS = 'UPDATE welcome_message SET agent_id = NULL, updated_at = $3 WHERE store_id = $1 AND agent_id = $2';

/** In the caller's transaction: the welcome text is in the name of this agent no more. chat-backend knows of no name. */
export const forgetAgent = async (
  sql: Sql,
  { storeId, at }: Pick<Writer, 'storeId' | 'at'>,
  id: string,
): Promise<void> => {
  await sql.query(NAMELESS, [storeId, id, at]);
};

/** The one welcome text of a store, which chat-backend sends; its row is named as the store is. */
export const welcomeCopies: CopiedRows = {
  standing: async (sql: Sql, storeId) =>
    (await sql.prepared<Welcome>('welcome', FIND, [storeId])).map(({ enabled, text, once_per_hours }) => ({
      rowId: storeId,
      row: { enabled, text, once_per_hours },
    })),
  keys: () => ({}),
};
