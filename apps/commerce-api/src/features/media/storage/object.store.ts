import type { Binary, Redirect, Reply, StoredFileOptions } from '@platform/http';
import type { Component } from '@platform/runtime';

/** What a store says of an object. */
export interface ObjectHead {
  readonly bytes: number;
  /** As whoever put it has named it; a disk keeps no types. */
  readonly mimetype?: string | undefined;
  readonly changedAt: Date;
}

/** Who may see an object: everybody under an address that stays, or whoever gets a link. */
export type Audience = 'all' | 'some';

export interface KeyParts {
  readonly storeId: string;
  /** Without a dot. */
  readonly extension: string;
  readonly audience: Audience;
}

export interface ExpectedUpload {
  readonly mimetype: string;
  readonly bytes: number;
  readonly lifeMs: number;
}

/** What only a store that browsers reach by themselves can do. */
export interface DirectAccess {
  /** A key for what browsers put. Until it is copied to a key of ours whoever has the link may put it again. */
  incomingKey(parts: Omit<KeyParts, 'audience'>): string;
  /** An address that takes one object of exactly this type and size, by PUT. */
  presignPut(key: string, upload: ExpectedUpload): Promise<string>;
  /** An address that gives an object out, under the headers of `options`. */
  presignGet(key: string, options: Pick<StoredFileOptions, 'mimetype' | 'filename' | 'cacheControl'>): Promise<string>;
  /** Copies inside the store; false when there is nothing under `from`. */
  copy(from: string, to: string, mimetype: string): Promise<boolean>;
}

/**
 * Files of stores under names that nobody can guess, on a disk or in an object store. Every call may wait for a network: none is made in
 * a database transaction. A store that does not answer is `Unavailable`; it has lost nothing.
 */
export interface ObjectStore extends Component {
  /** Folder in which uploads arrive; what lies there is taken over by `put`. */
  readonly incoming: string;
  /** Undefined: what comes and goes passes through this service. */
  readonly direct?: DirectAccess;
  keyFor(parts: KeyParts): string;
  /** Keeps the file at `path`; it is there, whole, when this resolves. The same again changes nothing. */
  put(key: string, path: string, mimetype: string): Promise<void>;
  /** Its first bytes, or all of one that fits a form; undefined when it is not there. */
  get(key: string, first?: number): Promise<Buffer | undefined>;
  /** Undefined when it is not there. */
  head(key: string): Promise<ObjectHead | undefined>;
  /** Never throws: what stays is found by `lyingSince`. */
  delete(key: string): Promise<void>;
  /** The keys of what has lain there unchanged since `before`, in portions. What has another form of name is not ours. */
  lyingSince(before: Date): AsyncIterable<string[]>;
  /** Removes what uploads left in `incoming` that were cut off before then. */
  tidy(before: Date): Promise<void>;
  /** The answer that serves it; undefined when there is no such object. */
  serve(key: string, options: StoredFileOptions): Promise<Reply<Binary | Redirect> | undefined>;
  /** Where everybody reads it without this service; undefined when nobody does. */
  publicUrl(key: string): string | undefined;
  /** Where operators find it. */
  placeOf(key: string): string;
}
