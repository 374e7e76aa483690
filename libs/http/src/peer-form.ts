import { randomUUID } from 'node:crypto';

/** A file on its way to a sibling: it is read while it is sent, and lies nowhere as a whole. */
export interface FormFile {
  readonly field: string;
  readonly filename: string;
  readonly mimetype: string;
  /** Exactly. */
  readonly size: number;
  read(): AsyncIterable<Buffer>;
}

export type FormFields = Readonly<Record<string, string | undefined>>;

interface FormBody {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | AsyncIterable<Buffer>;
}

/** As browsers write names into a header (HTML, multipart/form-data encoding). */
const quoted = (name: string): string => name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');

/** Of no name of ours, and of no claim of a client, becomes a header of its own. */
const typeOf = (mimetype: string): string =>
  /^[\w.+-]+\/[\w.+-]+$/.test(mimetype) ? mimetype : 'application/octet-stream';

async function* around(head: Buffer, file: FormFile, tail: Buffer): AsyncGenerator<Buffer> {
  yield head;
  yield* file.read();
  yield tail;
}

/** The fields as `multipart/form-data`, without those that are undefined; behind them the file. */
export const formBody = (fields: FormFields, file?: FormFile): FormBody => {
  const boundary = `form-${randomUUID()}`;
  const part = (name: string, more = ''): string =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"${more}\r\n`;
  const given = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [`${part(name)}\r\n${value}\r\n`],
  );
  const type = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  if (!file) return { headers: type, body: `${given.join('')}--${boundary}--\r\n` };
  const named = part(file.field, `; filename="${quoted(file.filename)}"`);
  const head = Buffer.from(`${given.join('')}${named}Content-Type: ${typeOf(file.mimetype)}\r\n\r\n`);
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  const length = String(head.length + file.size + tail.length);
  return { headers: { ...type, 'content-length': length }, body: around(head, file, tail) };
};
