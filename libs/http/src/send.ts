import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ServerResponse } from 'node:http';
import type { WireAnswer } from '@platform/envelopes';
import { JsonText, Page, PlainText, Redirect, type Binary, type SpecialReply } from './replies';

const JSON_TYPE = 'application/json; charset=utf-8';
const NO_HEADERS = {};

const end = (
  response: ServerResponse,
  status: number,
  type: string,
  body: string,
  headers: Readonly<Record<string, string>> = NO_HEADERS,
): void => {
  for (const name in headers) response.setHeader(name, headers[name] as string);
  response.statusCode = status;
  response.setHeader('Content-Type', type);
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(body);
};

/** Writes an envelope's answer. */
export const sendAnswer = (response: ServerResponse, { status, body, headers, plain }: WireAnswer): void =>
  plain
    ? end(response, status, 'text/plain; charset=utf-8', String(body), headers)
    : end(response, status, JSON_TYPE, JSON.stringify(body), headers);

const sendBytes = async (
  response: ServerResponse,
  { bytes, mimetype, headers }: Binary,
  status: number,
): Promise<void> => {
  for (const [name, value] of Object.entries({ 'X-Content-Type-Options': 'nosniff', ...headers }))
    response.setHeader(name, value);
  response.statusCode = status;
  response.setHeader('Content-Type', mimetype);
  if (Buffer.isBuffer(bytes)) response.setHeader('Content-Length', bytes.length);
  await pipeline(Buffer.isBuffer(bytes) ? Readable.from([bytes]) : bytes, response);
};

/** Writes what stands outside of every envelope: text, pages, bytes, redirects, ready-made JSON. */
export const sendSpecial = async (response: ServerResponse, value: SpecialReply, status: number): Promise<void> => {
  if (value instanceof PlainText) return end(response, status, 'text/plain; charset=utf-8', value.text);
  if (value instanceof JsonText) return end(response, status, JSON_TYPE, value.json);
  if (value instanceof Page) return end(response, status, 'text/html; charset=utf-8', value.html);
  if (value instanceof Redirect)
    return end(response, value.status, 'text/plain; charset=utf-8', '', { Location: value.location });
  return sendBytes(response, value, status);
};
