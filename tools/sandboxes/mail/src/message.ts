/** A message as a person would read it. */
export interface ReceivedMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** ISO 8601. */
  readonly at: string;
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

/** Reads one message of a single part (RFC 5322), as this platform sends them. */
export const readMail = (to: string, raw: string, at: Date): ReceivedMail => {
  const [, head = '', body = ''] = /^([^]*?)\r\n\r\n([^]*)$/.exec(raw) ?? [];
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  const header = (name: string): string =>
    lines
      .find((line) => line.toLowerCase().startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim() ?? '';
  const decode = DECODERS[header('content-transfer-encoding').toLowerCase()] ?? Buffer.from;
  const text = decode(body).toString().replaceAll('\r\n', '\n');
  return { to, subject: encodedWords(header('subject')), text, at: at.toISOString() };
};
