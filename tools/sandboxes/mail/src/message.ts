/** A message as a person would read it. */
export interface ReceivedMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** ISO 8601. */
  readonly at: string;
  /** Files that came along; absent where there are none. */
  readonly attachments?: readonly ReceivedFile[];
}

export interface ReceivedFile {
  readonly name: string;
  readonly mime: string;
  /** In base64. */
  readonly content: string;
}

const quotedPrintable = (text: string): Buffer =>
  Buffer.from(
    text
      .replace(/=\r?\n/g, '')
      .replace(/=([0-9A-F]{2})/gi, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  );

const DECODERS: Readonly<Record<string, (text: string) => Buffer>> = {
  'quoted-printable': quotedPrintable,
  base64: (text) => Buffer.from(text, 'base64'),
};

/** `=?UTF-8?Q?Kode=20?=` (RFC 2047); only UTF-8, which is what we send. */
const encodedWords = (text: string): string =>
  text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi, (_all, kind: string, word: string) =>
      (kind.toUpperCase() === 'B'
        ? Buffer.from(word, 'base64')
        : quotedPrintable(word.replaceAll('_', ' '))
      ).toString(),
    );

interface Part {
  /** The value of a header, '' without it. */
  header(name: string): string;
  readonly body: string;
  readonly bytes: Buffer;
}

const partOf = (raw: string): Part => {
  const [, head = '', body = ''] = /^([^]*?)\r\n\r\n([^]*)$/.exec(raw) ?? [];
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  const header = (name: string): string =>
    lines
      .find((line) => line.toLowerCase().startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim() ?? '';
  const decode = DECODERS[header('content-transfer-encoding').toLowerCase()] ?? Buffer.from;
  return { header, body, bytes: decode(body) };
};

/** The parts between the boundaries (RFC 2046); a message of one part is its own. */
const partsOf = (message: Part): Part[] => {
  const [, boundary] = /^multipart\/mixed;.*boundary="?([^";]+)/.exec(message.header('content-type')) ?? [];
  if (boundary === undefined) return [message];
  return `\r\n${message.body}`
    .split(`\r\n--${boundary}`)
    .slice(1, -1)
    .map((raw) => partOf(raw.replace(/^\r\n/, '')));
};

const fileOf = ({ header, bytes }: Part): ReceivedFile => ({
  name: /filename="?([^";]+)/.exec(header('content-disposition'))?.[1] ?? '',
  mime: header('content-type').replace(/;.*/, ''),
  content: bytes.toString('base64'),
});

/** Reads one message (RFC 5322), as this platform sends them: a text, and files beside it. */
export const readMail = (to: string, raw: string, at: Date): ReceivedMail => {
  const message = partOf(raw);
  const [first, ...files] = partsOf(message);
  const text = (first?.bytes ?? Buffer.alloc(0)).toString().replaceAll('\r\n', '\n');
  const mail = { to, subject: encodedWords(message.header('subject')), text, at: at.toISOString() };
  return files.length > 0 ? { ...mail, attachments: files.map(fileOf) } : mail;
};
