import { InvalidInput } from '@platform/errors';
import type { MediaUse } from '@platform/http';
import { cut } from '@platform/runtime';
import { parse, type DtoClass } from '@platform/validation';
import { mediaLabels, type MediaSource } from '../media/public';
import {
  SendAudio,
  SendDocument,
  SendLink,
  SendLocation,
  SendMessage,
  SendPicture,
  type ExpressType,
  type SendBase,
} from './outbound.dto';

/** What a send says, whichever route it came through. */
export interface Content {
  /** As the record names it. */
  readonly type: string;
  readonly text?: string;
  readonly caption?: string;
  readonly detail?: Readonly<Record<string, string>>;
  readonly file?: MediaSource;
}

/** One kind of send: its route, what it takes and what that becomes. How it reaches the gateway: `gatewayMessage` of delivery.ts. */
export interface SendKind<B extends SendBase = SendBase> {
  readonly type: ExpressType;
  readonly path: `/v1/send_${string}`;
  /** In `success send <name>`. */
  readonly name: string;
  readonly summary: string;
  readonly body: DtoClass<B>;
  /** Bytes of a whole request; 1 MB unless given. */
  readonly bodyLimit?: number;
  readonly compose: (body: B) => Content;
  /** An example of the fields beside the chat's. */
  readonly example: object;
}

const kind = <B extends SendBase>(definition: SendKind<B>): SendKind => definition as unknown as SendKind;

const HTTPS_FILE = { url: 'https://toko-nusa.example/sepatu.jpg' };
/** 25 MB of file are a third more as base64. */
export const FILE_BODY = 35 * 1024 * 1024;
const PREVIEW_LIMIT = 200;

const fileOf = (use: MediaUse, { url, file, filename }: { url?: string; file?: string; filename?: string }) => ({
  use,
  url,
  file,
  filename,
});

const detailOf = (fields: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined));

const picture = (type: 'image' | 'video', summary: string): SendKind =>
  kind<SendPicture>({
    type,
    path: `/v1/send_${type}`,
    name: type,
    summary,
    body: SendPicture,
    bodyLimit: FILE_BODY,
    example: HTTPS_FILE,
    compose: (body) => ({ type, caption: body.caption, file: fileOf(type, body) }),
  });

/** Every kind of send, once. */
export const sendKinds: readonly SendKind[] = [
  kind<SendMessage>({
    type: 'chat',
    path: '/v1/send_message',
    name: 'message',
    summary: 'Sends a text to the customer',
    body: SendMessage,
    example: { pesan: 'halo' },
    compose: ({ pesan }) => ({ type: 'chat', text: pesan }),
  }),
  picture('image', 'Sends a picture'),
  picture('video', 'Sends a film'),
  kind<SendDocument>({
    type: 'document',
    path: '/v1/send_document',
    name: 'document',
    summary: 'Sends a document',
    body: SendDocument,
    bodyLimit: FILE_BODY,
    example: { ...HTTPS_FILE, filename: 'daftar-harga.pdf' },
    compose: (body) => ({ type: 'document', caption: body.caption, file: fileOf('document', body) }),
  }),
  kind<SendAudio>({
    type: 'audio',
    path: '/v1/send_audio',
    name: 'audio',
    summary: 'Sends a sound, or a voice message',
    body: SendAudio,
    bodyLimit: FILE_BODY,
    example: { ...HTTPS_FILE, ptt: true },
    compose: (body) => ({ type: 'audio', file: fileOf(body.ptt ? 'voice' : 'audio', body) }),
  }),
  kind<SendLink>({
    type: 'link',
    path: '/v1/send_link',
    name: 'link',
    summary: 'Sends an address, below a text when there is one',
    body: SendLink,
    example: { url: 'https://toko-nusa.example/sepatu' },
    compose: ({ url, pesan, title, description }) => ({
      type: 'extendedtext',
      text: pesan ? `${pesan}\n${url}` : url,
      detail: detailOf({ matchedText: url, title, description }),
    }),
  }),
  kind<SendLocation>({
    type: 'location',
    path: '/v1/send_location',
    name: 'location',
    summary: 'Sends a place',
    body: SendLocation,
    example: { latitude: '-6.2', longitude: '106.8' },
    compose: ({ latitude, longitude, locationName, locationAddress }) => ({
      type: 'location',
      detail: detailOf({ latitude, longitude, locationName, locationAddress }),
    }),
  }),
];

/** The content that fields make under the rules of the type's own route. Throws `InvalidInput`. */
export const composeAs = (type: ExpressType, fields: object): Content => {
  const found = sendKinds.find((one) => one.type === type);
  if (!found) throw new Error(`no kind of send is called ${type}`);
  const { value, violations } = parse(found.body, fields);
  if (violations) throw new InvalidInput(violations);
  return found.compose(value);
};

/** What the list shows of it. */
export const previewOf = ({ type, text, caption, detail }: Content): string =>
  cut(text ?? caption ?? detail?.locationName ?? mediaLabels[type] ?? `[${type}]`, PREVIEW_LIMIT);
