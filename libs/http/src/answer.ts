import type { Readable } from 'node:stream';
import type { Envelope, WireAnswer } from '@platform/envelopes';
import type { Groups } from '@platform/validation';
import type { Binary, JsonText, Page, PlainText, Redirect } from './replies';
import { Reply, isSpecial, type ReplyHeaders } from './replies';

/** An answer as it is sent, before compression: what an idempotency key keeps. */
export interface TextAnswer {
  readonly status: number;
  /** Undefined: no body. */
  readonly type: string | undefined;
  readonly text: string;
  readonly headers: ReplyHeaders;
}

export interface StreamAnswer {
  readonly status: number;
  readonly type: string;
  readonly bytes: Buffer | Readable;
  readonly headers: ReplyHeaders;
}

export type Answer = TextAnswer | StreamAnswer;

/** Turns a handler's value into what a caller of these groups may see. */
export type WriteReply = (value: unknown, groups: Groups | undefined) => unknown;

const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';
const HTML_TYPE = 'text/html; charset=utf-8';
export const NO_HEADERS: ReplyHeaders = {};
/** A page's own policy (CSP, caching) comes with its reply. */
const PAGE_HEADERS: ReplyHeaders = { 'Referrer-Policy': 'same-origin' };

/** An envelope's answer. */
export const answerOf = ({ status, body, headers, plain }: WireAnswer): TextAnswer => ({
  status,
  type: plain ? TEXT_TYPE : JSON_TYPE,
  text: plain ? String(body) : JSON.stringify(body),
  headers: headers ?? NO_HEADERS,
});

const specialAnswer = (
  value: PlainText | Page | Binary | Redirect | JsonText,
  status: number,
  headers: ReplyHeaders,
): Answer => {
  switch (value.kind) {
    case 'text':
      return { status, type: TEXT_TYPE, text: value.text, headers };
    case 'page':
      return { status, type: HTML_TYPE, text: value.html, headers: { ...PAGE_HEADERS, ...headers } };
    case 'json text':
      return { status, type: JSON_TYPE, text: value.json, headers };
    case 'redirect':
      return { status: value.status, type: undefined, text: '', headers: { Location: value.location, ...headers } };
    case 'bytes':
      return {
        status,
        type: value.mimetype,
        bytes: value.bytes,
        headers: { ...value.headers, ...headers },
      };
  }
};

/** The steps that turn a handler's value into an answer. */
export interface Writing {
  readonly envelope: Envelope;
  /** Status of a success that names no other. */
  readonly status: number;
  /** The answer has no body, whatever the handler returned. */
  readonly nothing: boolean;
  /** Reduces a value to what its DTO declares and a caller of these groups may see. */
  readonly write: WriteReply;
}

/** The answer to a handler's value: special kinds as they are, everything else by its DTO and the envelope. */
export const written = (
  returned: unknown,
  { envelope, status: usual, nothing, write }: Writing,
  groups: Groups | undefined,
): Answer => {
  const reply = returned instanceof Reply ? (returned as Reply<unknown>) : undefined;
  const value = reply ? reply.value : returned;
  const { status = usual, headers = NO_HEADERS } = reply?.options ?? {};
  if (isSpecial(value)) return specialAnswer(value, status, headers);
  if (nothing) return { status, type: undefined, text: '', headers };
  const answer = answerOf(envelope.success(write(value, groups), status));
  return headers === NO_HEADERS ? answer : { ...answer, headers: { ...answer.headers, ...headers } };
};
