import type { Database } from '@platform/data';
import type { Jid } from '../engine.types';
import { IdentityStore } from '../identity.store';

/** What the engine needs of it. */
export type CloudMessages = Pick<
  CloudStore,
  'waIdOf' | 'idOf' | 'learn' | 'textOf' | 'lastInbound' | 'forgetAccount' | 'identitiesOf'
>;

/** What the cloud engine asks the tables: Meta's ids and ours name the same messages. Every statement names the device. */
export class CloudStore {
  constructor(private readonly database: Database) {}

  /** Whose number hides behind which business-scoped id, on one device. */
  identitiesOf(instanceId: string): IdentityStore {
    return new IdentityStore(instanceId, this.database);
  }

  /** Meta's id of a message that we know by our id, or by Meta's own: inbound messages have no other. */
  async waIdOf(instanceId: string, id: string): Promise<string> {
    const [row] = await this.database.prepared<{ waId: string | null }>(
      'cloud_wa_id',
      'SELECT wa_id AS "waId" FROM message WHERE instance_id = $1 AND id = $2 AND from_me',
      [instanceId, id],
    );
    return row?.waId ?? id;
  }

  /** Our id of a message that we sent, by Meta's. */
  async idOf(instanceId: string, waId: string): Promise<string | undefined> {
    const [row] = await this.database.prepared<{ id: string }>(
      'cloud_id',
      'SELECT id FROM message WHERE instance_id = $1 AND wa_id = $2',
      [instanceId, waId],
    );
    return row?.id;
  }

  /** A status may be quicker than the answer to the send, or be all that ever comes of it. */
  async learn(instanceId: string, id: string, waId: string): Promise<void> {
    await this.database.prepared(
      'cloud_learn',
      'UPDATE message SET wa_id = $3 WHERE instance_id = $1 AND id = $2 AND from_me AND wa_id IS NULL',
      [instanceId, id, waId],
    );
  }

  /** Words of a message that another one quotes. */
  async textOf(instanceId: string, waId: string): Promise<string | undefined> {
    const [row] = await this.database.prepared<{ text: string | null }>(
      'cloud_text',
      `SELECT coalesce(payload->>'text', payload->>'caption', payload->'content'->>'text', payload->'content'->>'caption') AS text
       FROM message WHERE instance_id = $1 AND (wa_id = $2 OR id = $2) LIMIT 1`,
      [instanceId, waId],
    );
    return row?.text ?? undefined;
  }

  /** The last thing that the chat's person wrote. */
  async lastInbound(instanceId: string, chat: Jid): Promise<string | undefined> {
    const [row] = await this.database.prepared<{ id: string }>(
      'cloud_last_inbound',
      'SELECT id FROM message WHERE instance_id = $1 AND chat = $2 AND NOT from_me ORDER BY at DESC LIMIT 1',
      [instanceId, chat],
    );
    return row?.id;
  }

  async forgetAccount(instanceId: string): Promise<void> {
    await this.database.query('UPDATE device SET cloud_enc = NULL WHERE instance_id = $1', [instanceId]);
  }
}
