import { unlink } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Request, Response } from 'express';
import multer, { MulterError } from 'multer';
import { Malformed, TooLarge } from '@platform/errors';
import { cut } from '@platform/runtime';
import type { Endpoint } from './endpoint';
import type { Receive, ReceivedBody, Upload } from './received';

export type { Upload } from './received';

type Limits = NonNullable<Endpoint['files']>;

const REQUEST_TOO_LARGE = 'request too large';

const failureOf = (error: Error): Malformed | TooLarge => {
  const code = error instanceof MulterError ? error.code : undefined;
  if (code === 'LIMIT_FILE_SIZE') return new TooLarge('file too large', { cause: error });
  if (code === 'LIMIT_FIELD_VALUE') return new TooLarge(REQUEST_TOO_LARGE, { cause: error });
  return new Malformed(error.message, { cause: error });
};

const middlewareFor = (limits: Limits, bodyLimit: number) => {
  const named = Object.entries(limits);
  const fileSize = Math.max(0, ...named.map(([, { maxBytes }]) => maxBytes));
  const options = {
    // Under random names in the system's temporary folder
    storage: multer.diskStorage({}),
    // Browsers and curl send names as UTF-8 (HTML standard, multipart/form-data encoding); busboy would read Latin-1
    defParamCharset: 'utf8',
    limits: { fileSize, fieldSize: Math.min(bodyLimit, 1024 * 1024), fields: 200, parts: 220, headerPairs: 20 },
  };
  return multer(options).fields(named.map(([name, { maxCount = 1 }]) => ({ name, maxCount })));
};

const NAME_LIMIT = 255;

/** A name that any database and any JSON can hold: no control characters, no half of a surrogate pair. */
const nameOf = (given: string): string => cut(given.replace(/\p{Cc}/gu, ''), NAME_LIMIT);

const uploadsOf = (request: Request): Upload[] =>
  Object.values((request.files ?? {}) as Record<string, Express.Multer.File[]>)
    .flat()
    .map(({ fieldname, path, originalname, mimetype, size }) => ({
      field: fieldname,
      path,
      originalName: nameOf(originalname),
      mimetype,
      size,
    }));

/** Counts and, when asked, collects the bytes while multer reads them; ends the request at the limit, which multer sees as aborted. */
const watch = (request: IncomingMessage, limit: number, keep: boolean): { raw(): Buffer; isOver(): boolean } => {
  const chunks: Buffer[] = [];
  let size = 0;
  const isOver = () => size > limit;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (isOver()) request.destroy();
    else if (keep) chunks.push(chunk);
  });
  return { raw: () => Buffer.concat(chunks), isOver };
};

/** Receives a form with files through multer: to disk, under random names, within the limits. Throws `Malformed` or `TooLarge`. */
export const receiveUploads = (limits: Limits, bodyLimit: number, keep: boolean): Receive => {
  const middleware = middlewareFor(limits, bodyLimit);
  return (request, response) =>
    new Promise((resolve, reject) => {
      if (Number(request.headers['content-length']) > bodyLimit) return reject(new TooLarge(REQUEST_TOO_LARGE));
      const { raw, isOver } = watch(request, bodyLimit, keep);
      middleware(request, response, (error?: unknown) =>
        error
          ? reject(isOver() ? new TooLarge(REQUEST_TOO_LARGE, { cause: error }) : failureOf(error as Error))
          : resolve({ fields: { ...(request.body as object) }, files: uploadsOf(request), raw: raw() }),
      );
    });
};

/** Replays bytes that were already read: multer reads a stream. */
receiveUploads.from = async (
  bytes: Buffer,
  request: Request,
  response: Response,
  receive: Receive,
): Promise<ReceivedBody> => {
  const replay = Object.assign(Readable.from([bytes]), {
    headers: request.headers,
    method: request.method,
  }) as unknown as Request;
  return receive(replay, response);
};

/** Removes the files that a handler left behind. One that was moved is already gone. */
export const discardUploads = (files: readonly Upload[]): Promise<unknown> =>
  Promise.all(files.map(({ path }) => unlink(path).catch(() => undefined)));
