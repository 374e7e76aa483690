import { WhatsAppError } from './whatsapp.error';
import { isRecord, recordAt, textAt, type Json } from '../json.reader';
import type { WhatsAppStore } from './whatsapp.store';

const MEDIA_TYPES = ['image', 'video', 'audio', 'document', 'sticker'];
const TYPES = ['text', ...MEDIA_TYPES, 'location', 'contacts', 'reaction', 'template', 'interactive'];
const TEXT_LIMIT = 4_096;
const OPAQUE_LIMIT = 512;

/** A message that a business sends. */
export interface Outgoing {
  readonly to: string;
  readonly type: string;
  readonly content: Json;
  readonly quotes?: string;
  readonly opaque?: string;
}

const invalid = (details: string): WhatsAppError => new WhatsAppError(100, details);

const checkContent = (type: string, content: Json, store: WhatsAppStore): void => {
  if (type === 'text') {
    const { length } = textAt(content, 'body') ?? '';
    if (length === 0) throw invalid("The parameter text['body'] is required.");
    if (length > TEXT_LIMIT) throw invalid(`Param text['body'] must be at most ${TEXT_LIMIT} characters long.`);
  }
  if (type === 'location' && (content.latitude === undefined || content.longitude === undefined))
    throw invalid('latitude and longitude are required.');
  if (type === 'reaction' && textAt(content, 'message_id') === undefined) throw invalid('message_id is required.');
  if (!MEDIA_TYPES.includes(type)) return;
  const id = textAt(content, 'id');
  if (id === undefined) throw invalid(`${type}['id'] is required.`);
  if (!store.file(id)) throw new WhatsAppError(131053, `Media ${id} was not uploaded.`);
};

/** Whether somebody is named by a business-scoped id (`ID.1349…`) and not by digits. */
export const hidesNumber = (to: string): boolean => /^[A-Z]{2}\./.test(to);

/** Reads a message with the checks that Meta makes. Throws `WhatsAppError`. */
export const readOutgoing = (request: Json, store: WhatsAppStore): Outgoing => {
  if (request.messaging_product !== 'whatsapp') throw invalid('The parameter messaging_product is required.');
  const to = textAt(request, 'to') ?? textAt(request, 'recipient');
  if (to === undefined) throw invalid('The parameter to is required.');
  const type = textAt(request, 'type') ?? 'text';
  const content = type === 'contacts' ? { contacts: request.contacts } : recordAt(request, type);
  if (!TYPES.includes(type) || !(isRecord(request[type]) || Array.isArray(request[type])))
    throw invalid(`Param type must be one of {${TYPES.join(', ')}} with a member of that name.`);
  checkContent(type, content, store);
  const opaque = textAt(request, 'biz_opaque_callback_data');
  if (opaque && opaque.length > OPAQUE_LIMIT)
    throw invalid(`biz_opaque_callback_data is over ${OPAQUE_LIMIT} characters.`);
  return {
    to: to.replace(/^\+/, ''),
    type,
    content,
    quotes: textAt(recordAt(request, 'context'), 'message_id'),
    opaque,
  };
};

const MEGABYTE = 1024 * 1024;
/** Documented size limits by media type. */
const LARGEST: readonly (readonly [RegExp, number])[] = [
  [/^image\/(jpeg|png)$/, 5 * MEGABYTE],
  [/^image\/webp$/, 500 * 1024],
  [/^(audio|video)\//, 16 * MEGABYTE],
  [/^(application|text)\//, 100 * MEGABYTE],
];

/** Throws `WhatsAppError` when Meta would refuse such a file. */
export const checkUpload = (bytes: Buffer, mimetype: string): void => {
  const largest = LARGEST.find(([pattern]) => pattern.test(mimetype))?.[1];
  if (largest === undefined)
    throw invalid(`Param file must be a file with one of the supported types, not ${mimetype}.`);
  if (bytes.length > largest)
    throw new WhatsAppError(131053, `The file has ${bytes.length} bytes; ${largest} are allowed.`);
};
