import type { MediaUse } from '@platform/http';
import { uuidv7 } from '@platform/runtime';
import type { OutContent } from '../../engines/engine.types';
import type { BroadcastAnswer, NewBroadcast, SendBroadcast, Stretch, Timetable } from '../campaigns/public';
import type { DeviceLine } from '../devices/public';
import type { FileStore } from '../files/public';
import { checkEngineLimits, isMedia } from '../messages/public';
import type { MediaService } from '../outbound/public';
import { sortRecipients } from './broadcast.recipients';
import { CAPTION_LIMIT, TEXT_LIMIT, type WantedBroadcast } from './broadcast.request';

/** Composes the requested broadcast: its content, its recipients, and when the last of them will have it. */
export class BroadcastComposer {
  constructor(
    private readonly media: Pick<MediaService, 'fetched'>,
    private readonly files: Pick<FileStore, 'keepFrom'>,
    private readonly timetable: Timetable,
    private readonly countryCode: string,
  ) {}

  async compose(
    body: SendBroadcast,
    { given, pace, startAt }: WantedBroadcast,
    { instanceId, engine }: Pick<DeviceLine, 'instanceId' | 'engine'>,
  ): Promise<NewBroadcast> {
    const { broadcast_id: broadcastId = uuidv7(), text: template = '', daily_limit: dailyLimit } = body;
    const { countryCode } = this;
    const content = await this.contentOf(body);
    checkEngineLimits(engine, content);
    const textLength = Math.min(TEXT_LIMIT, engine.limits?.textLength ?? TEXT_LIMIT);
    const longest = isMedia(content) ? CAPTION_LIMIT : textLength;
    const { accepted: recipients, rejected } = sortRecipients(given, { broadcastId, template, countryCode, longest });
    const queued = recipients.length;
    const own: Stretch = { count: queued, pace, startAt, dailyLimit };
    const finish = queued === 0 ? null : (await this.timetable.finishOf(instanceId, engine.kind, own)).toISOString();
    const answer = { broadcast_id: broadcastId, total: given.length, queued, rejected, estimated_finish: finish };
    await this.keepFile(content, answer);
    return {
      instanceId,
      broadcastId,
      content,
      pace,
      dailyLimit: dailyLimit ?? null,
      checkNumber: body.check_number ?? true,
      echo: body.echo ?? false,
      startAt,
      recipients,
      answer,
    };
  }

  private async contentOf({ type, url, text = '' }: SendBroadcast): Promise<OutContent> {
    if (type === undefined || url === undefined) return { kind: 'text', text };
    return this.media.fetched(type as MediaUse, url, text === '' ? undefined : text);
  }

  /** The file must be kept until the last recipient has it. */
  private async keepFile(content: OutContent, { estimated_finish: finish }: BroadcastAnswer): Promise<void> {
    if (isMedia(content) && finish !== null) await this.files.keepFrom(content.media.key, new Date(finish));
  }
}
