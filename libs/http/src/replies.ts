import type { Readable } from 'node:stream';

/** Header names to values; a list is sent as several headers of one name, as for cookies. */
export type ReplyHeaders = Readonly<Record<string, string | readonly string[]>>;

/** A handler's value, of whatever kind, with its own status or headers. */
export class Reply<T> {
  constructor(
    readonly value: T,
    readonly options: { status?: number; headers?: ReplyHeaders } = {},
  ) {}
}

/** Sent as `text/plain`, outside of any envelope. */
export class PlainText {
  readonly kind = 'text';
  constructor(readonly text: string) {}
}

/** A server-rendered page. */
export class Page {
  readonly kind = 'page';
  constructor(readonly html: string) {}
}

/** Bytes of a known type: a picture, a stored file. */
export class Binary {
  readonly kind = 'bytes';
  constructor(
    readonly bytes: Buffer | Readable,
    readonly mimetype: string,
    readonly headers: ReplyHeaders = {},
  ) {}
}

/** A redirect, 302 by default. */
export class Redirect {
  readonly kind = 'redirect';
  constructor(
    readonly location: string,
    readonly status: 301 | 302 | 303 | 307 | 308 = 302,
  ) {}
}

/** A whole body that is already JSON text, such as rows that PostgreSQL serialised; sent byte for byte. */
export class JsonText {
  readonly kind = 'json text';
  constructor(readonly json: string) {}
}

export type SpecialReply = PlainText | Page | Binary | Redirect | JsonText;

export const isSpecial = (value: unknown): value is SpecialReply =>
  value instanceof PlainText ||
  value instanceof Page ||
  value instanceof Binary ||
  value instanceof Redirect ||
  value instanceof JsonText;
