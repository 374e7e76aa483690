import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Audit } from '@platform/data';
import type { Clock } from '@platform/runtime';
import { refusals } from '../../../refusals';

/** What somebody must be allowed to see besides, to open a file that shows it: what goods cost, or the customers of everybody. */
export type Shows = 'costs' | 'everybody';
/** In a link, whose token may have no more than 255 signs. */
const LETTERS = { costs: 'c', everybody: 'e' } as const satisfies Record<Shows, string>;

const shownBy = (letters: string): Shows[] =>
  (Object.keys(LETTERS) as Shows[]).filter((each) => letters.includes(LETTERS[each]));

/** What a link opens, and for whom it was made: what that one may do is asked again when it is used. */
export interface FileLink {
  readonly method: 'GET' | 'PUT';
  readonly storeId: string;
  readonly mediaId: string;
  readonly holder: Audit['actor'];
  /** Nothing unless given. */
  readonly shows?: readonly Shows[];
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
  shows?: string,
];

/** Links to single files that expire (design 5.7, Blob token): `<claim in base64url>.<HMAC>`. Nothing is stored of them. */
export class FileLinks {
  constructor(private readonly parts: FileLinkParts) {}

  make({ method, storeId, mediaId, holder }: FileLink, lifeMs: number): { readonly url: string; readonly ends: Date } {
    const ends = new Date(this.parts.clock.now().getTime() + lifeMs);
    return { url: this.until({ method, storeId, mediaId, holder }, ends), ends };
  }

  /** One that ends then. */
  until({ method, storeId, mediaId, holder, shows = [] }: FileLink, ends: Date): string {
    const shown = shows.map((each) => LETTERS[each]).join('');
    const plain = [method, storeId, mediaId, ends.getTime(), holder.kind, holder.id] as const;
    const claim: Claim = shown ? [...plain, shown] : plain;
    const text = Buffer.from(JSON.stringify(claim)).toString('base64url');
    return `${this.parts.publicUrl}/blob/${text}.${this.signature(text)}`;
  }

  /** Throws `expired` for a text that is no link of ours, is one for another method, or is too old: all of them alike. */
  read(token: string, method: FileLink['method']): FileLink {
    const [text = '', signature = ''] = token.length > LONGEST ? [] : token.split('.');
    const [given, right] = [Buffer.from(signature), Buffer.from(this.signature(text))];
    if (given.length !== right.length || !timingSafeEqual(given, right)) throw refusals.linkExpired();
    const [signed, storeId, mediaId, ends, kind, id, letters = ''] = JSON.parse(
      Buffer.from(text, 'base64url').toString(),
    ) as Claim;
    if (signed !== method || ends <= this.parts.clock.now().getTime()) throw refusals.linkExpired();
    return { method, storeId, mediaId, holder: { kind, id, name: id }, shows: shownBy(letters) };
  }

  private signature(text: string): string {
    return createHmac('sha256', this.parts.secret).update(text).digest('base64url');
  }
}
