import { basename } from 'node:path';
import { InvalidInput } from '@platform/errors';
import { refusals } from '../../../refusals';
import type { MediaLibrary } from '../../media/uploads/public';
import { fileTypes, type ContentType, type FileFields, type NewConversationMessage } from './messages.dto';

export type MessageFiles = Pick<MediaLibrary, 'forMessage' | 'bytesOf'>;

type Said = Omit<NewConversationMessage, 'type'>;
interface Rule {
  readonly needs: readonly (keyof Said)[];
  readonly may: readonly (keyof Said)[];
}

const FILE: Rule = { needs: [], may: ['media_id', 'url', 'caption'] };
const RULES: Readonly<Record<ContentType, Rule>> = {
  text: { needs: ['text'], may: [] },
  ...{ image: FILE, video: FILE, document: FILE, audio: { needs: [], may: ['media_id', 'url'] } },
  location: { needs: ['latitude', 'longitude'], may: ['name', 'address'] },
  link: { needs: ['url'], may: ['text'] },
};
/** The type of WhatsApp's own voice messages; as a plain sound it plays it nowhere. */
const VOICE = 'audio/ogg';
const isFile = (type: ContentType): boolean => (fileTypes as readonly string[]).includes(type);
/** Eleven centimetres; never with an exponent. */
const degrees = (value = 0): string => value.toFixed(6);
const nameIn = (url: string): string => basename(new URL(url).pathname) || 'file';

/** Throws `InvalidInput` for what a message of this type lacks, and for what it cannot say. */
const demandFields = (type: ContentType, said: Said): void => {
  const { needs, may } = RULES[type];
  const given = Object.entries(said).flatMap(([field, value]) => (value === undefined ? [] : [field as keyof Said]));
  const lacking = needs.filter((field) => !given.includes(field));
  const foreign = given.filter((field) => !needs.includes(field) && !may.includes(field));
  const isOneFile = !isFile(type) || (said.media_id === undefined) !== (said.url === undefined);
  const violations = [
    ...lacking.map((field) => ({ field, tag: 'required', message: `${field} is a required field` })),
    ...foreign.map((field) => ({ field, tag: 'type', message: `${field} does not go with the type ${type}` })),
    ...(isOneFile ? [] : [{ field: 'media_id', tag: 'one', message: 'media_id or url is required, not both' }]),
  ];
  if (violations.length > 0) throw new InvalidInput(violations);
};

/** What a message says, in chat-backend's names. */
export class MessageContents {
  constructor(private readonly files: MessageFiles) {}

  /** Throws `InvalidInput`, and `NotFound` for a file that the store has not. */
  async of(storeId: string, type: ContentType, said: Said): Promise<object> {
    demandFields(type, said);
    const { text, url, latitude, longitude, name, address } = said;
    if (isFile(type)) return this.file(storeId, type, said);
    if (type === 'link') return { url, pesan: text };
    if (type === 'text') return { pesan: text };
    const place = { latitude: degrees(latitude), longitude: degrees(longitude) };
    return { ...place, locationName: name, locationAddress: address };
  }

  /** A file of ours goes along: chat-backend fetches from public addresses alone, and ours need not be one. */
  private async file(storeId: string, type: ContentType, { media_id, url, caption }: FileFields): Promise<object> {
    if (media_id === undefined) {
      const filename = type === 'document' && url !== undefined ? nameIn(url) : undefined;
      return { url, caption, filename };
    }
    const media = await this.files.forMessage(storeId, media_id);
    if (!media) throw refusals.notHere('media_id', 'is not a file for messages of this store');
    const bytes = await this.files.bytesOf(media);
    const file = `data:${media.mime};base64,${bytes.toString('base64')}`;
    return { file, caption, filename: media.name, ...(type === 'audio' && media.mime === VOICE ? { ptt: true } : {}) };
  }
}
