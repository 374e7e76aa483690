import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { RequestHandler } from 'express';
import { namesEtag } from './if-none-match';
import { takesGzip } from './send';
import { addVary } from './vary';

const pack = promisify<Buffer | string, { level: number }, Buffer>(gzip);
const unpack = promisify<Buffer, Buffer>(gunzip);
/** Spent once. */
const LEVEL = 9;

export interface PackedFile {
  readonly type: string;
  readonly cacheControl?: string;
  /** Called once, at the first request for the file. */
  read(): Promise<Buffer> | Buffer | string;
}

/**
 * Serves a file that does not change while the process lives: compressed at the first request and only kept in that form.
 * A client that does not accept gzip, and every browser does, gets it uncompressed.
 */
export const packed = ({ type, cacheControl = 'no-cache', read }: PackedFile): RequestHandler => {
  const make = async () => {
    const plain = await read();
    const etag = `W/"${createHash('sha1').update(plain).digest('base64url')}"`;
    return { etag, bytes: await pack(plain, { level: LEVEL }) };
  };
  let made: ReturnType<typeof make> | undefined;
  return async (request, response) => {
    made ??= make();
    // A file that could not be read is read again at the next request
    const { etag, bytes } = await made.catch((cause: unknown) => {
      made = undefined;
      throw cause;
    });
    response.setHeader('Cache-Control', cacheControl);
    response.setHeader('ETag', etag);
    addVary(response, 'Accept-Encoding');
    if (namesEtag(request.headers['if-none-match'], etag)) return void response.writeHead(304).end();
    response.setHeader('Content-Type', type);
    const zipped = takesGzip(request.headers['accept-encoding']);
    if (zipped) response.setHeader('Content-Encoding', 'gzip');
    const body = zipped ? bytes : await unpack(bytes);
    response.setHeader('Content-Length', body.length);
    response.end(body);
  };
};
