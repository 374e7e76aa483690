import { open } from 'node:fs/promises';

/** The type of a file, as its first bytes show it. */
export interface MediaType {
  readonly mimetype: string;
  /** Without a dot. */
  readonly extension: string;
}

const HEAD_BYTES = 512;

interface Signature extends MediaType {
  readonly at: number;
  readonly bytes: readonly number[] | string;
}

const signature = (mimetype: string, extension: string, bytes: Signature['bytes'], at = 0): Signature => ({
  mimetype,
  extension,
  bytes,
  at,
});

/** Signatures of https://mimesniff.spec.whatwg.org section 6 and of the formats' own specifications; the first match counts. */
const SIGNATURES: readonly Signature[] = [
  signature('image/jpeg', 'jpg', [0xff, 0xd8, 0xff]),
  signature('image/png', 'png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  signature('image/gif', 'gif', 'GIF8'),
  signature('image/webp', 'webp', 'WEBP', 8),
  signature('audio/wav', 'wav', 'WAVE', 8),
  signature('video/x-msvideo', 'avi', 'AVI ', 8),
  signature('audio/mp4', 'm4a', 'ftypM4A', 4),
  signature('video/quicktime', 'mov', 'ftypqt', 4),
  signature('video/3gpp', '3gp', 'ftyp3g', 4),
  signature('image/heic', 'heic', 'ftyphei', 4),
  signature('video/mp4', 'mp4', 'ftyp', 4),
  signature('video/webm', 'webm', [0x1a, 0x45, 0xdf, 0xa3]),
  signature('audio/ogg', 'ogg', 'OggS'),
  signature('audio/mpeg', 'mp3', 'ID3'),
  signature('audio/mpeg', 'mp3', [0xff, 0xfb]),
  signature('audio/mpeg', 'mp3', [0xff, 0xf3]),
  signature('audio/mpeg', 'mp3', [0xff, 0xf2]),
  signature('audio/aac', 'aac', [0xff, 0xf1]),
  signature('audio/aac', 'aac', [0xff, 0xf9]),
  signature('audio/amr', 'amr', '#!AMR'),
  signature('audio/flac', 'flac', 'fLaC'),
  signature('application/pdf', 'pdf', '%PDF-'),
  signature('application/zip', 'zip', [0x50, 0x4b, 0x03, 0x04]),
  signature('application/gzip', 'gz', [0x1f, 0x8b]),
  signature('application/x-ole-storage', 'ole', [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
  signature('application/x-msdownload', 'exe', 'MZ'),
  signature('application/x-executable', 'elf', [0x7f, 0x45, 0x4c, 0x46]),
];

const UNKNOWN: MediaType = { mimetype: 'application/octet-stream', extension: 'bin' };
const PLAIN: MediaType = { mimetype: 'text/plain', extension: 'txt' };
const MARKUP: readonly (readonly [RegExp, MediaType])[] = [
  [/^\s*(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)?<svg/i, { mimetype: 'image/svg+xml', extension: 'svg' }],
  [/^\s*<(!doctype html|html|head|body|script|iframe|h1|div)/i, { mimetype: 'text/html', extension: 'html' }],
  [/^\s*<\?xml/i, { mimetype: 'text/xml', extension: 'xml' }],
];

const textType = (head: Buffer): MediaType => {
  // A cut multi-byte character at the end of the head is no sign of binary content
  const text = head.toString('utf8').replace(/\uFFFD$/, '');
  if (head.length === 0 || text.includes('\uFFFD') || text.includes('\0')) return UNKNOWN;
  return MARKUP.find(([pattern]) => pattern.test(text.replace(/^\uFEFF/, '')))?.[1] ?? PLAIN;
};

/** The type of a file by its first bytes (512 are enough), whatever its name or sender claims. */
export const mediaTypeOf = (head: Buffer): MediaType => {
  const found = SIGNATURES.find(({ at, bytes }) => {
    const expected = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : Buffer.from(bytes);
    return head.subarray(at, at + expected.length).equals(expected);
  });
  return found ? { mimetype: found.mimetype, extension: found.extension } : textType(head.subarray(0, HEAD_BYTES));
};

/** Without a dot: what a file of this type is called here; `bin` for a type that no first bytes show. */
export const extensionOf = (mimetype: string): string =>
  [...SIGNATURES, PLAIN, ...MARKUP.map(([, type]) => type)].find((type) => type.mimetype === mimetype)?.extension ??
  UNKNOWN.extension;

/** The type of a stored file by its first bytes. */
export const mediaTypeOfFile = async (path: string): Promise<MediaType> => {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return mediaTypeOf(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
};

/** Office formats are archives inside: only for them may the name decide, because only it tells them apart. */
const INSIDE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'application/zip': {
    docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  },
  'application/x-ole-storage': {
    doc: 'application/msword',
    xls: 'application/vnd.ms-excel',
    ppt: 'application/vnd.ms-powerpoint',
  },
  'text/plain': { csv: 'text/csv' },
};

/** The type of a document, whose name may show more than its first bytes. */
export const documentTypeOf = ({ mimetype }: MediaType, filename: string | undefined): string =>
  INSIDE[mimetype]?.[/\.(\w+)$/.exec(filename ?? '')?.[1]?.toLowerCase() ?? ''] ?? mimetype;

/** WhatsApp's names for kinds of files. */
export type MediaUse = 'image' | 'video' | 'document' | 'audio' | 'voice' | 'sticker';

/** A browser's voice recording is a video container with sound only. */
const SOUND = /^(audio\/|video\/(mp4|webm|3gpp)$)/;

/** Whether content of this type can be sent as `use`. A document may be anything. */
export const fitsUse = (use: MediaUse, mimetype: string): boolean => {
  switch (use) {
    case 'image':
      return mimetype.startsWith('image/') && mimetype !== 'image/svg+xml';
    case 'sticker':
      return mimetype === 'image/webp';
    case 'video':
      return mimetype.startsWith('video/');
    case 'audio':
    case 'voice':
      return SOUND.test(mimetype);
    case 'document':
      return true;
  }
};
