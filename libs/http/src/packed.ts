import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gunzip, gzip, type BrotliOptions } from 'node:zlib';
import type { RequestHandler } from 'express';
import { namesEtag } from './if-none-match';
import { takesBrotli, takesGzip } from './send';
import { addVary } from './vary';

const pack = promisify<Buffer | string, { level: number }, Buffer>(gzip);
const unpack = promisify<Buffer, Buffer>(gunzip);
const packBest = promisify<Buffer, BrotliOptions, Buffer>(brotliCompress);
/** Spent once. */
const LEVEL = 9;
/** Of Brotli: the best one takes seconds for a megabyte. */
const qualityFor = (bytes: number): number => (bytes <= 256 * 1024 ? 11 : 9);

export interface PackedFile {
  readonly type: string;
  readonly cacheControl?: string;
  /** Besides, of every answer. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Called once, at the first request for the file. */
  read(): Promise<Buffer> | Buffer | string;
}

/** A file in the forms in which it was asked for; gzip is the one that the others are made from. */
class Packed {
  private best: Promise<Buffer> | undefined;

  private constructor(
    readonly etag: string,
    private readonly zipped: Buffer,
  ) {}

  static async of(plain: Buffer | string): Promise<Packed> {
    const etag = `W/"${createHash('sha1').update(plain).digest('base64url')}"`;
    return new Packed(etag, await pack(plain, { level: LEVEL }));
  }

  /** The shortest form that a client takes. */
  async for(accepted: string | undefined): Promise<{ readonly encoding?: 'br' | 'gzip'; readonly bytes: Buffer }> {
    if (takesBrotli(accepted)) return { encoding: 'br', bytes: await (this.best ??= this.brotli()) };
    if (takesGzip(accepted)) return { encoding: 'gzip', bytes: this.zipped };
    return { bytes: await unpack(this.zipped) };
  }

  private async brotli(): Promise<Buffer> {
    const plain = await unpack(this.zipped);
    return packBest(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: qualityFor(plain.length) } });
  }
}

/**
 * Serves a file that does not change while the process lives: compressed at the first request that asks for the form, and only kept
 * compressed. A client that accepts neither Brotli nor gzip, and every browser does, gets it uncompressed.
 */
export const packed = ({ type, cacheControl = 'no-cache', headers = {}, read }: PackedFile): RequestHandler => {
  const make = async () => Packed.of(await read());
  let made: ReturnType<typeof make> | undefined;
  return async (request, response) => {
    made ??= make();
    // A file that could not be read is read again at the next request
    const file = await made.catch((cause: unknown) => {
      made = undefined;
      throw cause;
    });
    response.setHeader('Cache-Control', cacheControl);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    response.setHeader('ETag', file.etag);
    addVary(response, 'Accept-Encoding');
    if (namesEtag(request.headers['if-none-match'], file.etag)) return void response.writeHead(304).end();
    response.setHeader('Content-Type', type);
    const { encoding, bytes } = await file.for(request.headers['accept-encoding'] as string | undefined);
    if (encoding) response.setHeader('Content-Encoding', encoding);
    response.setHeader('Content-Length', bytes.length);
    response.end(bytes);
  };
};
