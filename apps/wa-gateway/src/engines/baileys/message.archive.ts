import type { SecretBox } from '@platform/auth';
import type { Sql } from '@platform/data';
import type { proto } from 'baileys';
import type { Jid } from '../engine.types';
import type { Library } from './baileys.library';

/** A message that another one refers to: a quote or a reaction. */
export interface Reference {
  readonly chat: Jid;
  readonly participant?: Jid;
  readonly fromMe: boolean;
  readonly message: proto.IMessage;
}

interface Row {
  readonly chat: Jid;
  readonly participant: Jid;
  readonly fromMe: boolean;
  readonly raw: string | null;
  readonly words: string | null;
}

const REFERENCE = `
SELECT chat, participant, from_me AS "fromMe", raw_enc AS raw,
  coalesce(payload->>'text', payload->>'caption', payload->'content'->>'text', payload->'content'->>'caption', payload->>'locationName') AS words
FROM message WHERE instance_id = $1 AND id = $2 LIMIT 1`;

/** Our messages as they go over the line, sealed: a phone that could not read one asks for it again (design 3.3). */
export class MessageArchive {
  constructor(
    private readonly instanceId: string,
    private readonly database: Sql,
    private readonly box: SecretBox,
    private readonly library: Pick<Library, 'proto'>,
  ) {}

  async save(id: string, message: proto.IMessage): Promise<void> {
    const bytes = Buffer.from(this.library.proto.Message.encode(message).finish());
    await this.database.prepared(
      'message_raw_save',
      'UPDATE message SET raw_enc = $3 WHERE instance_id = $1 AND id = $2 AND from_me',
      [this.instanceId, id, this.box.seal(bytes.toString('base64'), this.purpose(id))],
    );
  }

  /** By id alone: the chat that a retry names carries a device part. Never an empty message in place of a missing one. */
  async find(id: string): Promise<proto.IMessage | undefined> {
    const sql = 'SELECT raw_enc AS raw FROM message WHERE instance_id = $1 AND id = $2 AND raw_enc IS NOT NULL LIMIT 1';
    const [row] = await this.database.prepared<{ raw: string }>('message_raw_find', sql, [this.instanceId, id]);
    return row && this.opened(id, row.raw);
  }

  async has(id: string): Promise<boolean> {
    const sql = 'SELECT 1 FROM message WHERE instance_id = $1 AND id = $2 LIMIT 1';
    return (await this.database.prepared('message_has', sql, [this.instanceId, id])).length > 0;
  }

  async reference(id: string): Promise<Reference | undefined> {
    const [row] = await this.database.prepared<Row>('message_reference', REFERENCE, [this.instanceId, id]);
    if (!row) return undefined;
    const { chat, participant, fromMe, raw, words } = row;
    const message = raw === null ? { conversation: words ?? '' } : this.opened(id, raw);
    return { chat, fromMe, message, ...(participant ? { participant } : {}) };
  }

  private opened(id: string, raw: string): proto.IMessage {
    return this.library.proto.Message.decode(Buffer.from(this.box.open(raw, this.purpose(id)), 'base64'));
  }

  private purpose(id: string): string {
    return `message ${this.instanceId} ${id}`;
  }
}
