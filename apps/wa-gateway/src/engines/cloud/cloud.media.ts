import { createHash, randomBytes } from 'node:crypto';
import { request as plainRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { text } from 'node:stream/consumers';
import { timeLimit } from '@platform/runtime';
import type { CloudAccount } from './cloud.account';
import { answered, unanswered, type GraphClient } from './graph.client';

/** A file of ours on its way to Meta. */
export interface UploadFile {
  readonly name: string;
  readonly mimetype: string;
  readonly size: number;
  readonly open: () => Readable;
}

interface MediaLookup {
  readonly url?: string;
  readonly sha256?: string;
}

const UPLOAD_LIMIT_MS = 120_000;
const DOWNLOAD_LIMIT_MS = 30_000;

/** Quotes and line ends would end the header that the name stands in. */
const quoted = (name: string): string => name.replace(/["\r\n]/g, '_');

const formOf = ({ name, mimetype }: UploadFile, boundary: string): { head: Buffer; tail: Buffer } => {
  const field = (key: string, value: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`;
  const file = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${quoted(name)}"\r\nContent-Type: ${mimetype}\r\n\r\n`;
  return {
    head: Buffer.from(field('messaging_product', 'whatsapp') + field('type', mimetype) + file),
    tail: Buffer.from(`\r\n--${boundary}--\r\n`),
  };
};

async function* joined(head: Buffer, file: Readable, tail: Buffer): AsyncGenerator<Buffer> {
  yield head;
  for await (const chunk of file) yield chunk as Buffer;
  yield tail;
}

/** One request whose body streams; redirects are answers like others. */
const exchange = (url: URL, options: RequestOptions, body?: AsyncIterable<Buffer>): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? tlsRequest : plainRequest)(url, options, resolve);
    request.on('error', reject);
    if (body) pipeline(Readable.from(body), request).catch(reject);
    else request.end();
  });

async function* verified(source: AsyncIterable<Buffer>, sha256: string | undefined): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  for await (const chunk of source) {
    hash.update(chunk);
    yield chunk;
  }
  if (sha256 !== undefined && hash.digest('hex') !== sha256.toLowerCase())
    throw new Error('the hash of the file is not the one that Meta named');
}

/** Files between us and Meta; they stream, because a document may have 100 MB. */
export class CloudMedia {
  constructor(
    private readonly graph: GraphClient,
    /** WA_CLOUD_MEDIA_HOSTS: the token goes to these hosts and nowhere else (design 5.3). */
    private readonly hosts: readonly string[],
  ) {}

  /** Media id under which messages may send the file. Throws what `GraphClient.call` throws. */
  async upload({ numberId, token }: CloudAccount, file: UploadFile): Promise<string> {
    const boundary = `gateway${randomBytes(12).toString('hex')}`;
    const { head, tail } = formOf(file, boundary);
    const url = new URL(this.graph.options.baseUrl + this.graph.pathOf(`/${numberId}/media`));
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': head.length + file.size + tail.length,
    };
    const signal = AbortSignal.timeout(UPLOAD_LIMIT_MS);
    const { status, body } = await exchange(url, { method: 'POST', headers, signal }, joined(head, file.open(), tail))
      .then(async (answer) => ({ status: answer.statusCode ?? 0, body: await text(answer) }))
      .catch((cause: unknown) => {
        throw unanswered(cause);
      });
    const { id } = answered<{ id?: string }>({ status, json: <T>() => parsed(body) as T | undefined }, token);
    if (!id) throw new Error('Meta named no media id');
    return id;
  }

  /** The bytes of a file that came with a message; the stream fails at its end when they are not the ones Meta named. */
  async download({ numberId, token }: CloudAccount, mediaId: string, signal: AbortSignal): Promise<Readable> {
    const path = `/${encodeURIComponent(mediaId)}?phone_number_id=${numberId}`;
    const { url: address = '', sha256 } = await this.graph.call<MediaLookup>(token, path, undefined, signal);
    const url = this.allowed(address);
    const limit = timeLimit(DOWNLOAD_LIMIT_MS, signal);
    const answer = await exchange(url, { headers: { authorization: `Bearer ${token}` }, signal: limit });
    if (answer.statusCode === 200) return Readable.from(verified(answer, sha256));
    answer.destroy();
    throw new Error(`the media host answered ${answer.statusCode}`);
  }

  private allowed(address: string): URL {
    const url = URL.canParse(address) ? new URL(address) : undefined;
    const isPlain = url?.protocol === 'http:' && this.graph.options.baseUrl.startsWith('http:');
    const isListed = url !== undefined && (this.hosts.includes(url.host) || this.hosts.includes(url.hostname));
    if (!url || !isListed || !(url.protocol === 'https:' || isPlain))
      throw new Error('the address of the file leads to a host that is not in WA_CLOUD_MEDIA_HOSTS');
    return url;
  }
}

const parsed = (body: string): unknown => {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
};
