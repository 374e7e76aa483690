import { createReadStream } from 'node:fs';
import { mkdir, opendir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsCommand,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { dispositionOf, Redirect, Reply, type StoredFileOptions } from '@platform/http';
import { ConfigurationError, cut, uuidv7 } from '@platform/runtime';
import type { DirectAccess, ExpectedUpload, KeyParts, ObjectHead, ObjectStore } from './object.store';
import type { S3Line } from './s3.line';

/** Names made here, and those that were brought from a disk. */
const KEY = /^((public|private|incoming)\/[\w-]{1,80}\/)?[0-9a-f-]{36}\.[a-z0-9]{1,5}$/;
const PUBLIC = 'public/';
/** Of an object that is read whole: no form brings more. */
const MOST_READ = 10 * 1024 * 1024;
/** To begin a download, which may then take as long as it does. */
const SERVED_FOR_S = 60;

export interface S3StoreParts {
  readonly client: S3Client;
  readonly line: S3Line;
  readonly bucket: string;
  /** Where everybody reads what lies under `public/`. */
  readonly publicUrl: string;
  /** Folder of files on their way through this service. */
  readonly incoming: string;
}

/** Whose an object is, as a part of its key. */
const folderOf = (storeId: string): string => cut(storeId.replace(/[^\w-]/g, '_'), 80);
const ownerOf = (key: string): string => key.split('/')[1] ?? '';

/** The headers under which the bucket gives it to everybody. */
const shownAs = (key: string, mimetype: string) => ({
  ContentType: mimetype,
  ...(key.startsWith(PUBLIC)
    ? { CacheControl: 'public, max-age=31536000, immutable', ContentDisposition: dispositionOf({ mimetype }) }
    : {}),
});

/** What a store said that answered; undefined of one that did not. */
const refusalOf = ({ cause }: Error): string | undefined => {
  const { name = 'unknown', $metadata } = (cause ?? {}) as { name?: string; $metadata?: { httpStatusCode?: number } };
  const status = $metadata?.httpStatusCode ?? 0;
  return status >= 300 && status < 500 && status !== 429 ? `${name} ${status}` : undefined;
};

/**
 * Files of stores as objects of one bucket: under `public/` what everybody reads, under `private/` the rest, and under `incoming/` what
 * browsers put there and nothing serves. Their bytes go to browsers and come from them without this service.
 */
export class S3Store implements ObjectStore {
  readonly name = 'media';
  readonly direct: DirectAccess = {
    incomingKey: ({ storeId, extension }) => `incoming/${folderOf(storeId)}/${uuidv7()}.${extension}`,
    presignPut: (key, upload) => this.presignPut(key, upload),
    presignGet: (key, options) => this.presignGet(key, options),
    copy: (from, to, mimetype) => this.copy(from, to, mimetype),
  };

  constructor(private readonly parts: S3StoreParts) {}

  get incoming(): string {
    return this.parts.incoming;
  }

  /** A store that refuses us would keep nothing: it stops the start. One that does not answer may be back soon. */
  async start(): Promise<void> {
    await mkdir(this.incoming, { recursive: true, mode: 0o700 });
    const { client, bucket, line } = this.parts;
    const refused = await line
      .send('', (signal) => client.send(new HeadBucketCommand({ Bucket: bucket }), { abortSignal: signal }))
      .then(() => undefined, refusalOf);
    if (refused) throw new ConfigurationError([`S3_BUCKET: the store of files refuses "${bucket}" (${refused})`]);
  }

  stop(): Promise<void> {
    this.parts.client.destroy();
    return Promise.resolve();
  }

  keyFor({ storeId, extension, audience }: KeyParts): string {
    return `${audience === 'all' ? PUBLIC : 'private/'}${folderOf(storeId)}/${uuidv7()}.${extension}`;
  }

  async put(key: string, path: string, mimetype: string): Promise<void> {
    const at = this.at(key);
    const { size } = await stat(path);
    const put = (): PutObjectCommand =>
      new PutObjectCommand({
        ...at,
        ...{ Body: createReadStream(path), ContentLength: size },
        ...shownAs(key, mimetype),
      });
    await this.parts.line.send(ownerOf(key), (signal) => this.parts.client.send(put(), { abortSignal: signal }), size);
    if (dirname(path) === this.incoming) await rm(path, { force: true });
  }

  async get(key: string, first?: number): Promise<Buffer | undefined> {
    if (!KEY.test(key)) return undefined;
    const range = first === undefined ? {} : { Range: `bytes=0-${first - 1}` };
    const get = new GetObjectCommand({ ...this.at(key), ...range });
    // Read inside of the call: an answer that stops halfway is given up like one that never comes
    const read = async (signal: AbortSignal): Promise<Buffer> => {
      const { Body } = await this.parts.client.send(get, { abortSignal: signal });
      return Buffer.from((await Body?.transformToByteArray()) ?? []);
    };
    return this.parts.line.find(ownerOf(key), read, first ?? MOST_READ);
  }

  async head(key: string): Promise<ObjectHead | undefined> {
    if (!KEY.test(key)) return undefined;
    const head = new HeadObjectCommand(this.at(key));
    const found = await this.parts.line.find(ownerOf(key), (signal) =>
      this.parts.client.send(head, { abortSignal: signal }),
    );
    if (!found) return undefined;
    const { ContentLength: bytes = 0, ContentType: mimetype, LastModified: changedAt = new Date() } = found;
    return { bytes, mimetype, changedAt };
  }

  async delete(key: string): Promise<void> {
    if (!KEY.test(key)) return;
    const gone = new DeleteObjectCommand(this.at(key));
    await this.parts.line
      .send(ownerOf(key), (signal) => this.parts.client.send(gone, { abortSignal: signal }))
      .catch(() => undefined);
  }

  async *lyingSince(before: Date): AsyncGenerator<string[]> {
    for (let after = ''; ;) {
      const list = new ListObjectsCommand({ Bucket: this.parts.bucket, ...(after ? { Marker: after } : {}) });
      const { Contents = [], IsTruncated } = await this.parts.line.send('', (signal) =>
        this.parts.client.send(list, { abortSignal: signal }),
      );
      const ours = Contents.flatMap(({ Key = '', LastModified }) =>
        KEY.test(Key) && LastModified && LastModified < before ? [Key] : [],
      );
      if (ours.length > 0) yield ours;
      after = Contents.at(-1)?.Key ?? '';
      if (!IsTruncated || !after) return;
    }
  }

  async tidy(before: Date): Promise<void> {
    for await (const { name } of await opendir(this.incoming)) {
      const path = join(this.incoming, name);
      const found = await stat(path).catch(() => undefined);
      if (found && found.mtime < before) await rm(path, { force: true });
    }
  }

  async serve(key: string, options: StoredFileOptions): Promise<Reply<Redirect> | undefined> {
    if (!KEY.test(key)) return undefined;
    const headers = { 'Cache-Control': 'no-store' };
    return new Reply(new Redirect(await this.presignGet(key, options)), { headers });
  }

  publicUrl(key: string): string | undefined {
    return key.startsWith(PUBLIC) ? `${this.parts.publicUrl}/${key}` : undefined;
  }

  placeOf(key: string): string {
    return `s3://${this.parts.bucket}/${key}`;
  }

  private at(key: string): { readonly Bucket: string; readonly Key: string } {
    if (!KEY.test(key)) throw new Error(`${key} is no name of an object here.`);
    return { Bucket: this.parts.bucket, Key: key };
  }

  /** Both headers are signed: a browser that sends others is refused by the store. */
  private presignPut(key: string, { mimetype, bytes, lifeMs }: ExpectedUpload): Promise<string> {
    const put = new PutObjectCommand({ ...this.at(key), ContentType: mimetype, ContentLength: bytes });
    const signableHeaders = new Set(['content-type', 'content-length']);
    return getSignedUrl(this.parts.client, put, { expiresIn: lifeMs / 1000, signableHeaders });
  }

  private presignGet(key: string, options: Parameters<DirectAccess['presignGet']>[1]): Promise<string> {
    const get = new GetObjectCommand({
      ...this.at(key),
      ResponseContentType: options.mimetype,
      ResponseContentDisposition: dispositionOf(options),
      ResponseCacheControl: options.cacheControl,
    });
    return getSignedUrl(this.parts.client, get, { expiresIn: SERVED_FOR_S });
  }

  private async copy(from: string, to: string, mimetype: string): Promise<boolean> {
    const source = `${this.parts.bucket}/${this.at(from).Key}`;
    const copy = new CopyObjectCommand({
      ...this.at(to),
      ...{ CopySource: source, MetadataDirective: 'REPLACE' },
      ...shownAs(to, mimetype),
    });
    const done = await this.parts.line.find(ownerOf(to), (signal) =>
      this.parts.client.send(copy, { abortSignal: signal }),
    );
    return done !== undefined;
  }
}
