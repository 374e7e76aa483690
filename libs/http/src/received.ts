import type { Request, Response } from 'express';
import { Unavailable } from '@platform/errors';

/** A received file, on disk under a random name. It is deleted after the handler unless the handler moved it away. */
export interface Upload {
  readonly field: string;
  readonly path: string;
  /** Name from the client, without control characters and at most 255 UTF-16 units; never use it as a path. */
  readonly originalName: string;
  /** Type the client claimed; sniff the content before trusting it. */
  readonly mimetype: string;
  readonly size: number;
  /** SHA-256 of its bytes, in hex; only where an Idempotency-Key compares them, or the file is the whole body. */
  readonly sha256?: string;
}

export interface ReceivedBody {
  readonly fields: unknown;
  readonly files: readonly Upload[];
  readonly raw: Buffer;
  /** Gives back the room that its files had, once they are gone. */
  readonly leave?: () => void;
}

export type Receive = (request: Request, response: Response, caller?: unknown) => Promise<ReceivedBody>;

/** For a body whose sender has gone before it was there. */
export const aborted = (cause?: unknown): Unavailable => new Unavailable('the request was aborted', { cause });
