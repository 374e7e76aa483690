import { Unavailable } from '@platform/errors';

/**
 * Bytes of forms with files that one process has under way at once. The temporary folder of a pod holds more than this: Kubernetes takes away a
 * pod whose folder has grown beyond its size, without a warning and with all that it was doing for others.
 */
export const UPLOAD_ROOM_BYTES = 3 * 1024 ** 3;
const RETRY_SECONDS = 5;

/** What is left of it for forms that arrive or are worked on. */
export class UploadRoom {
  private taken = 0;

  constructor(private readonly bytes = UPLOAD_ROOM_BYTES) {}

  /** Until what it returns is called. Throws `Unavailable` when there is none left. */
  take(bytes: number): () => void {
    if (this.taken + bytes > this.bytes)
      throw new Unavailable('too many files arrive at the moment', { retryAfterSeconds: RETRY_SECONDS });
    this.taken += bytes;
    return () => void (this.taken -= bytes);
  }
}
