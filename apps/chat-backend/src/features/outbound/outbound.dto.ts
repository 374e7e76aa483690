import { Choice, Flag, Json, Nested, Text } from '@platform/validation';
import { ChatRef } from '../inbox/public';
import { ChatInboxStruct, ChatListStruct, chatStatuses } from '../records/public';

/** What every send has beside its content. */
export class SendBase extends ChatRef {
  @Text({
    optional: true,
    max: 128,
    description: 'id chosen by the caller: the same id again answers the stored message and sends nothing',
  })
  pesan_id?: string;
  @Text({ optional: true, max: 128, description: 'a pesan_id of the same chat' }) quoteMsg?: string;
  @Choice(chatStatuses, { optional: true, description: 'send only while the chat is in this state' })
  if_status?: (typeof chatStatuses)[number];
  @Text({ optional: true, max: 64, description: 'who sends, for callers without a token' }) user_id?: string;
}

export class SendMessage extends SendBase {
  @Text({ max: 4096, visible: true, example: 'Ada kak, stok 7' }) pesan!: string;
}

/** Of these a blank one is none, and so is one of which nothing is seen. */
const SEEN = { optional: true, visible: true };
const CAPTION = { ...SEEN, max: 1024 };

/** A file: exactly one of `url` and `file`. */
class SendFile extends SendBase {
  @Text({ requiredWithout: ['file'], format: 'url', max: 2048, description: 'https; fetched and kept at once' })
  url?: string;
  @Text({ requiredWithout: ['url'], description: 'the file itself as a data URI, at most 25 MB' }) file?: string;
}

export class SendPicture extends SendFile {
  @Text(CAPTION) caption?: string;
  @Text({ optional: true, max: 128, description: 'a hint; the content decides' }) mimetype?: string;
}

export class SendDocument extends SendFile {
  @Text({ max: 255, example: 'daftar-harga.pdf' }) filename!: string;
  @Text(CAPTION) caption?: string;
}

export class SendAudio extends SendFile {
  @Flag({ optional: true, description: 'as a voice message' }) ptt?: boolean;
}

export class SendLink extends SendBase {
  @Text({ format: 'url', max: 2048, example: 'https://toko-nusa.example/sepatu' }) url!: string;
  @Text({ ...SEEN, max: 4096 }) pesan?: string;
  @Text({ ...SEEN, max: 255 }) title?: string;
  @Text({ ...SEEN, max: 1024 }) description?: string;
}

export class SendLocation extends SendBase {
  @Text({ format: 'latitude', max: 32, example: '-6.2' }) latitude!: string;
  @Text({ format: 'longitude', max: 32, example: '106.8' }) longitude!: string;
  @Text({ ...SEEN, max: 256 }) locationName?: string;
  @Text({ ...SEEN, max: 256 }) locationAddress?: string;
}

export const expressTypes = ['chat', 'image', 'video', 'document', 'audio', 'link', 'location'] as const;
export type ExpressType = (typeof expressTypes)[number];

/** The content follows `type`, by the rules of that type's own route; or it comes from a template. */
export class SendExpress extends SendBase {
  @Text({ requiredWithout: ['template_id', 'type'], max: 4096, description: 'the text, or the caption of a file' })
  pesan?: string;
  @Text({ optional: true, max: 64, description: 'a template of the store' }) template_id?: string;
  @Json({ optional: true, description: 'fills {{key}} in the text' }) params?: Record<string, unknown>;
  @Choice(expressTypes, { optional: true, description: 'chat when left out' }) type?: ExpressType;
  @Text({ optional: true, max: 2048 }) url?: string;
  @Text({ optional: true }) file?: string;
  @Text(CAPTION) caption?: string;
  @Text({ optional: true, max: 255 }) filename?: string;
  @Flag({ optional: true }) ptt?: boolean;
  @Text({ ...SEEN, max: 255 }) title?: string;
  @Text({ ...SEEN, max: 1024 }) description?: string;
  @Text({ optional: true, max: 32 }) latitude?: string;
  @Text({ optional: true, max: 32 }) longitude?: string;
  @Text({ ...SEEN, max: 256 }) locationName?: string;
  @Text({ ...SEEN, max: 256 }) locationAddress?: string;
}

export class SendReply {
  @Text({ example: 'success send message' }) message!: string;
  @Nested(() => ChatInboxStruct) data!: ChatInboxStruct;
  @Nested(() => ChatListStruct) chat_list!: ChatListStruct;
}
