import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { WireAnswer } from '@platform/envelopes';
import { answerOf, NO_HEADERS, type Answer, type StreamAnswer, type TextAnswer } from './answer';
import { namesEtag } from './if-none-match';
import type { ReplyHeaders } from './replies';
import { addVary } from './vary';

/** Shorter texts grow or hardly shrink. */
const WORTH_COMPRESSING = 1024;
/** Level 5 takes half the time of the default 6 for 1 % more bytes (pages of 20 KB). */
const LEVEL = 5;
/** Texts from here on are not joined to their headers, which Node does by copying both: a seventh of what sending 35 KB costs. */
const APART = 8 * 1024;
const compressed = promisify<string, { level: number }, Buffer>(gzip);

/** Whether a client takes a coding (RFC 9110 section 12.5.3): named, and not with a weight of zero. */
const taking = (coding: string): ((accepted: string | string[] | undefined) => boolean) => {
  const named = new RegExp(`(?:^|,)\\s*${coding}\\s*(?:;(?!\\s*q=0(?:\\.0+)?\\s*(?:,|$))[^,]*)?(?:,|$)`, 'i');
  return (accepted) => typeof accepted === 'string' && named.test(accepted);
};
export const takesGzip = taking('(?:x-)?gzip');
export const takesBrotli = taking('br');

const isVary = (name: string): boolean => name.length === 4 && name.toLowerCase() === 'vary';

/** All or none: a refusal that follows must not be sent with half of another answer's cookies and caching. */
const setHeaders = (response: ServerResponse, headers: ReplyHeaders): void => {
  if (headers === NO_HEADERS) return;
  const before = Object.keys(headers).map((name) => [name, response.getHeader(name)] as const);
  try {
    for (const name in headers) {
      const value = headers[name] as string | string[];
      if (isVary(name)) addVary(response, value);
      else response.setHeader(name, value);
    }
  } catch (invalid) {
    for (const [name, value] of before)
      if (value === undefined) response.removeHeader(name);
      else response.setHeader(name, value);
    throw invalid;
  }
};

const end = (response: ServerResponse, body: string | Buffer): void => {
  const length = Buffer.byteLength(body);
  response.setHeader('Content-Length', length);
  if (length >= APART) {
    response.cork();
    response.flushHeaders();
  }
  // As many bytes as characters: none of them needs an encoding, and copying them costs less (measured: a third less for a page of 37 KB)
  if (length === body.length) response.end(body, 'latin1');
  else response.end(body);
};

/** Weak, because the same text is sent compressed and uncompressed (RFC 9110 section 8.8.1). */
const etagOf = (text: string): string => `W/"${createHash('sha1').update(text).digest('base64url')}"`;

/** Writes text; compresses it where that pays and the client accepts it. */
const sendText = (request: IncomingMessage, response: ServerResponse, answer: TextAnswer): Promise<void> | void => {
  const { status, type, text, headers } = answer;
  setHeaders(response, headers);
  response.statusCode = status;
  const worthCompressing = text.length >= WORTH_COMPRESSING;
  if (worthCompressing) addVary(response, 'Accept-Encoding');
  // Neither has a body, so a length would be that of another answer (RFC 9110 section 8.6)
  if (status === 204 || status === 304) return void response.end();
  if (type === undefined) return end(response, '');
  response.setHeader('Content-Type', type);
  if (!worthCompressing) return end(response, text);
  if (!takesGzip(request.headers['accept-encoding'])) return end(response, text);
  return compressed(text, { level: LEVEL }).then((bytes) => {
    response.setHeader('Content-Encoding', 'gzip');
    end(response, bytes);
  });
};

/** The same answer with its validator, or 304 without a body when the client holds it already. */
const validated = (request: IncomingMessage, answer: TextAnswer): TextAnswer => {
  const etag = etagOf(answer.text);
  const headers = { ...answer.headers, ETag: etag };
  return namesEtag(request.headers['if-none-match'], etag)
    ? { ...answer, status: 304, headers }
    : { ...answer, headers };
};

/** A page that was closed, or a stream that its writer has cut off, is no failure of the request; a body that breaks is. */
const unlessGone = (failure: NodeJS.ErrnoException): void => {
  if (failure.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw failure;
};

const sendStream = async (response: ServerResponse, { status, type, bytes, headers }: StreamAnswer): Promise<void> => {
  const body = Buffer.isBuffer(bytes) ? Readable.from([bytes]) : bytes;
  // Nobody reads on: the source of the body is destroyed, which is no failure
  if (response.destroyed) return void body.destroy();
  try {
    setHeaders(response, { ...headers, 'Content-Type': type });
  } catch (invalid) {
    body.destroy();
    throw invalid;
  }
  response.statusCode = status;
  if (Buffer.isBuffer(bytes)) response.setHeader('Content-Length', bytes.length);
  return pipeline(body, response).catch(unlessGone);
};

/** Writes an answer of any kind. With `etag` a successful text answer carries a validator, and `If-None-Match` is honoured. */
export const send = (
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
  etag = false,
): Promise<void> | void => {
  if ('bytes' in answer) return sendStream(response, answer);
  return sendText(request, response, etag && answer.status === 200 ? validated(request, answer) : answer);
};

/** Writes an envelope's answer. */
export const sendAnswer = (
  request: IncomingMessage,
  response: ServerResponse,
  answer: WireAnswer,
): Promise<void> | void => send(request, response, answerOf(answer));
