import { Unavailable } from '@platform/errors';

/**
 * Bytes of forms with files that one process has under way at once. The temporary folder of a pod holds more than this: Kubernetes takes away a
 * pod whose folder has grown beyond its size, without a warning and with all that it was doing for others.
 */
export const UPLOAD_ROOM_BYTES = 3 * 1024 ** 3;
const RETRY_SECONDS = 5;

/** Of it for all tenants together: what is left brings siblings' files, such as those of customers' messages. */
const OF_TENANTS = 3 / 4;

/**
 * What is left of it for forms that arrive or are worked on. A form takes what it says that it will bring, and may bring it slowly: one tenant
 * takes no more than half of what the others have left.
 */
export class UploadRoom {
  private taken = 0;
  private readonly ofTenants = new Map<string, number>();

  constructor(private readonly bytes = UPLOAD_ROOM_BYTES) {}

  /** Until what it returns is called. Throws `Unavailable` when there is none left, of the share of `tenant` if one is named. */
  take(bytes: number, tenant?: string): () => void {
    if (this.taken + bytes > this.bytes || (tenant !== undefined && !this.isFair(bytes, tenant)))
      throw new Unavailable('too many files arrive at the moment', { retryAfterSeconds: RETRY_SECONDS });
    this.count(bytes, tenant);
    return () => this.count(-bytes, tenant);
  }

  private isFair(bytes: number, tenant: string): boolean {
    const own = this.ofTenants.get(tenant) ?? 0;
    const others = [...this.ofTenants.values()].reduce((sum, each) => sum + each, -own);
    return own + bytes <= (this.bytes * OF_TENANTS - others) / 2;
  }

  private count(bytes: number, tenant: string | undefined): void {
    this.taken += bytes;
    if (tenant === undefined) return;
    const own = (this.ofTenants.get(tenant) ?? 0) + bytes;
    if (own > 0) this.ofTenants.set(tenant, own);
    else this.ofTenants.delete(tenant);
  }
}
