import { createHash } from 'node:crypto';
import { unlink } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { pipeline, Readable, Transform } from 'node:stream';
import type { Request, Response } from 'express';
import multer, { MulterError, type StorageEngine } from 'multer';
import { Malformed, TooLarge } from '@platform/errors';
import { cut } from '@platform/runtime';
import type { Endpoint } from './endpoint';
import type { Receive, ReceivedBody, Upload } from './received';
import type { TenantShare } from './tenant-share';
import { uploadFolder } from './upload.folder';
import { UploadRoom } from './upload.room';

export type { Upload } from './received';

type Limits = NonNullable<Endpoint['files']>;

export interface UploadOptions {
  readonly limits: Limits;
  /** Of the whole form, in bytes. */
  readonly bodyLimit: number;
  /** Whether the raw body is collected. */
  readonly keep: boolean;
  /** Whether uploads say the hash of their bytes. */
  readonly hashes: boolean;
  /** By default the one of this process. */
  readonly room?: UploadRoom;
  /** Whose share of the room a form takes; undefined: nobody's. */
  readonly tenantOf?: TenantShare['tenantOf'] | undefined;
}

const roomOfProcess = new UploadRoom();

const REQUEST_TOO_LARGE = 'request too large';

const failureOf = (error: Error): Malformed | TooLarge => {
  const code = error instanceof MulterError ? error.code : undefined;
  if (code === 'LIMIT_FILE_SIZE') return new TooLarge('file too large', { cause: error });
  if (code === 'LIMIT_FIELD_VALUE') return new TooLarge(REQUEST_TOO_LARGE, { cause: error });
  return new Malformed(error.message, { cause: error });
};

type StoredUpload = Express.Multer.File & Pick<Upload, 'sha256'>;

/** Under random names in a folder of this process. */
const stored = (): StorageEngine =>
  multer.diskStorage({
    destination: (_request, _file, done) => {
      uploadFolder().then(
        (folder) => done(null, folder),
        (failure: Error) => done(failure, ''),
      );
    },
  });

/** The same, with the hash of what goes by. */
const hashed = (): StorageEngine => {
  const disk = stored();
  return {
    _handleFile: (request, file, done) => {
      const hash = createHash('sha256');
      const through = new Transform({
        transform: (chunk: Buffer, _, next) => {
          hash.update(chunk);
          next(null, chunk);
        },
      });
      // What goes wrong in it ends the other stream too, where the disk hears of it
      pipeline(file.stream, through, () => undefined);
      Object.defineProperty(file, 'stream', { configurable: true, value: through });
      disk._handleFile(request, file, (error, info) =>
        error ? done(error) : done(null, { ...info, sha256: hash.digest('hex') } as StoredUpload),
      );
    },
    _removeFile: (request, file, done) => disk._removeFile(request, file, done),
  };
};

const middlewareFor = ({ limits, bodyLimit, hashes }: UploadOptions) => {
  const named = Object.entries(limits);
  const fileSize = Math.max(0, ...named.map(([, { maxBytes }]) => maxBytes));
  const options = {
    storage: hashes ? hashed() : stored(),
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
  Object.values((request.files ?? {}) as Record<string, StoredUpload[]>)
    .flat()
    .map(({ fieldname, path, originalname, mimetype, size, sha256 }) => ({
      field: fieldname,
      path,
      originalName: nameOf(originalname),
      mimetype,
      size,
      ...(sha256 === undefined ? {} : { sha256 }),
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

/** Receives a form with files through multer: to disk, under random names, within the limits. Throws `Malformed`, `TooLarge`, or `Unavailable` when there is no room. */
export const receiveUploads = (options: UploadOptions): Receive => {
  const { bodyLimit, keep, room = roomOfProcess, tenantOf } = options;
  const middleware = middlewareFor(options);
  return (request, response, caller) =>
    new Promise((resolve, reject) => {
      const length = Number(request.headers['content-length'] ?? bodyLimit);
      if (length > bodyLimit) return reject(new TooLarge(REQUEST_TOO_LARGE));
      // Not until the answer closes: that of a request behind another on its connection does not when the client leaves
      const leave = room.take(length, tenantOf?.(caller));
      const { raw, isOver } = watch(request, bodyLimit, keep);
      middleware(request, response, (error?: unknown) => {
        if (!error)
          return resolve({ fields: { ...(request.body as object) }, files: uploadsOf(request), raw: raw(), leave });
        leave();
        reject(isOver() ? new TooLarge(REQUEST_TOO_LARGE, { cause: error }) : failureOf(error as Error));
      });
    });
};

/** Replays bytes that were already read: multer reads a stream. */
receiveUploads.from = async (
  bytes: Buffer,
  request: Request,
  response: Response,
  receive: (request: Request, response: Response) => Promise<ReceivedBody>,
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
