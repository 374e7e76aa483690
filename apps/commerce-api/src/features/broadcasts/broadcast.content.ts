import type { Sql } from '@platform/data';
import { InvalidInput, NotFound } from '@platform/errors';
import type { Writer } from '../../by';
import type { CampaignContent } from '../../clients/chat.broadcasts';
import { refusals } from '../../refusals';
import { quickReply } from '../automation/replies/public';
import { lineOf } from '../devices/public';
import type { MediaLibrary } from '../media/uploads/public';
import { demandAudience } from './audience.sql';
import { unknownVariable, type BroadcastMeta } from './broadcast.view';
import type { BroadcastMessage } from './broadcasts.dto';

interface Parts {
  readonly database: Sql;
  readonly files: Pick<MediaLibrary, 'forMessage'>;
}

interface Words {
  /** What the caller has named it by. */
  readonly field: string;
  readonly body: string;
  readonly media: string | undefined;
}

const wordsOf = async (
  sql: Sql,
  storeId: string,
  { text, template_id, media_id }: BroadcastMessage,
): Promise<Words> => {
  if (text !== undefined) return { field: 'message.text', body: text, media: media_id };
  const reply = await quickReply(sql, storeId, template_id ?? '');
  if (!reply) throw new NotFound('Template not found');
  return { field: 'message.template_id', body: reply.body, media: media_id ?? reply.media_id ?? undefined };
};

/** The text, also that of a quick reply, whose variables everybody has; below the picture, where there is one. */
const said = async ({ database, files }: Parts, storeId: string, message: BroadcastMessage) => {
  const { field, body: pesan, media: id } = await wordsOf(database, storeId, message);
  const unknown = unknownVariable(pesan);
  if (unknown !== undefined) {
    const text = `${field} names {{${unknown}}}, which nobody has`;
    throw new InvalidInput([{ field, tag: 'broadcast', message: text }]);
  }
  if (id === undefined) return { pesan };
  const media = await files.forMessage(storeId, id);
  if (!media) throw refusals.notHere('message.media_id', 'is not a file for messages of this store');
  const kind = /^(image|video)\//.exec(media.mime)?.[1] ?? 'document';
  return { pesan, type: kind, url: media.url, filename: media.name };
};

/** A broadcast as chat-backend takes it. Throws what its audience, its device and its message are refused with. */
export const campaignContent = async (
  parts: Parts,
  { storeId, audit }: Pick<Writer, 'storeId' | 'audit'>,
  { name, ...meta }: BroadcastMeta & { readonly name: string },
): Promise<CampaignContent<BroadcastMeta>> => {
  await demandAudience(parts.database, storeId, meta.audience);
  return {
    ...(await lineOf(parts.database, storeId, meta.device_id)),
    ...(await said(parts, storeId, meta.message)),
    ...{ nama: name, limit_per_minute: meta.rate_per_minute, meta },
    ...(meta.quiet_hours && { jam_tenang: meta.quiet_hours }),
    ...(audit.actor.kind === 'user' && { user_id: audit.actor.id }),
  };
};
