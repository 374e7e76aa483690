import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Audit } from '@platform/data';
import type { Clock } from '@platform/runtime';
import { refusals } from '../../../refusals';

/** What a link opens, and for whom it was made: what that one may do is asked again when it is used. */
export interface FileLink {
  readonly method: 'GET' | 'PUT';
  readonly storeId: string;
  readonly mediaId: string;
  readonly holder: Audit['actor'];
}

export interface FileLinkParts {
  readonly secret: string;
  readonly clock: Clock;
  /** Of the shop's pages; empty: links are paths. */
  readonly publicUrl: string;
}

const LONGEST = 400;
type Claim = readonly [
  method: string,
  storeId: string,
  mediaId: string,
  expires: number,
  kind: Audit['actor']['kind'],
  holder: string,
];

/** Links to single files that expire (design 5.7, Blob token): `<claim in base64url>.<HMAC>`. Nothing is stored of them. */
export class FileLinks {
  constructor(private readonly parts: FileLinkParts) {}

  make({ method, storeId, mediaId, holder }: FileLink, lifeMs: number): { readonly url: string; readonly ends: Date } {
    const ends = new Date(this.parts.clock.now().getTime() + lifeMs);
    return { url: this.until({ method, storeId, mediaId, holder }, ends), ends };
  }

  /** One that ends then. */
  until({ method, storeId, mediaId, holder }: FileLink, ends: Date): string {
    const claim: Claim = [method, storeId, mediaId, ends.getTime(), holder.kind, holder.id];
    const text = Buffer.from(JSON.stringify(claim)).toString('base64url');
    return `${this.parts.publicUrl}/blob/${text}.${this.signature(text)}`;
  }

  /** Throws `expired` for a text that is no link of ours, is one for another method, or is too old: all of them alike. */
  read(token: string, method: FileLink['method']): FileLink {
    const [text = '', signature = ''] = token.length > LONGEST ? [] : token.split('.');
    const [given, right] = [Buffer.from(signature), Buffer.from(this.signature(text))];
    if (given.length !== right.length || !timingSafeEqual(given, right)) throw refusals.linkExpired();
    const [signed, storeId, mediaId, ends, kind, id] = JSON.parse(Buffer.from(text, 'base64url').toString()) as Claim;
    if (signed !== method || ends <= this.parts.clock.now().getTime()) throw refusals.linkExpired();
    return { method, storeId, mediaId, holder: { kind, id, name: id } };
  }

  private signature(text: string): string {
    return createHmac('sha256', this.parts.secret).update(text).digest('base64url');
  }
}
