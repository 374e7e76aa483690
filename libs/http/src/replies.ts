import type { Readable } from 'node:stream';

/** A handler's value together with a status or headers of its own. */
export class Reply<T> {
  constructor(
    readonly value: T,
    readonly options: { status?: number; headers?: Readonly<Record<string, string>> } = {},
  ) {}
}

/** Sent as `text/plain`, outside of any envelope. */
export class PlainText {
  constructor(readonly text: string) {}
}

/** A server-rendered page. */
export class Page {
  constructor(readonly html: string) {}
}

/** Bytes of a known kind: a picture, a stored file. */
export class Binary {
  constructor(
    readonly bytes: Buffer | Readable,
    readonly mimetype: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}
}

/** A redirect, 302 unless told otherwise. */
export class Redirect {
  constructor(
    readonly location: string,
    readonly status: 301 | 302 | 303 | 307 | 308 = 302,
  ) {}
}

/** A whole body that is JSON text already, such as rows that PostgreSQL serialised; sent byte for byte. */
export class JsonText {
  constructor(readonly json: string) {}
}

export type SpecialReply = PlainText | Page | Binary | Redirect | JsonText;

export const isSpecial = (value: unknown): value is SpecialReply =>
  value instanceof PlainText ||
  value instanceof Page ||
  value instanceof Binary ||
  value instanceof Redirect ||
  value instanceof JsonText;
