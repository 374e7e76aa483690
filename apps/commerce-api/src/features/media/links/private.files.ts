import type { Sql } from '@platform/data';
import { Forbidden, Unauthenticated } from '@platform/errors';
import type { Guard } from '@platform/http';
import type { Caller, Need, Sight } from '../../../abilities';
import type { OpenedFile } from '../../../endpoint';
import { refusals } from '../../../refusals';
import type { Kept, Media } from '../uploads/public';
import type { FileLink, FileLinks, Shows } from './file.links';

/** Who may see files that have no public address: whoever has one of these. */
const READERS: Partial<Readonly<Record<Kept, readonly Need[]>>> = {
  proof: ['payment.record', 'payment.read'],
  document: ['kyc.write'],
  digital: ['digital.write'],
  report: ['report.read'],
};
const LIFE_MS = 15 * 60_000;
/** To begin a download, which may then take as long as it does. */
const BUYER_LIFE_MS = 60_000;
/** Nobody signs in as such: what they may have was asked when the link was made. */
const BUYER = { kind: 'system', id: 'buyer', name: 'buyer' } as const;

/** Reports are swept when their links end. */
const LEFT = `SELECT sweep_after AS ends FROM media WHERE store_id = $1 AND id = $2 AND purpose = 'report'`;

/** What somebody may do in a store, as they are now. */
interface Standing {
  readonly abilities: ReadonlySet<Need>;
  /** Undefined: the customers of everybody are seen. */
  readonly sight?: Sight | undefined;
  readonly suspended: boolean;
}

/** Tells it of whoever has a link. Throws `Forbidden` and `Unauthenticated` for who may not act there any more. */
export interface Holders {
  again(storeId: string, holder: FileLink['holder']): Promise<Standing>;
}

interface Parts {
  readonly sql: Sql;
  readonly links: FileLinks;
  readonly access: Holders;
}

const FIND = 'SELECT key, mime, name, purpose FROM media WHERE store_id = $1 AND id = $2 AND confirmed_at IS NOT NULL';

const mayRead = ({ abilities }: Pick<Caller, 'abilities'>, purpose: Kept | undefined): boolean =>
  (purpose && READERS[purpose])?.some((need) => abilities.has(need)) ?? false;

const maySee = ({ abilities, sight }: Pick<Standing, 'abilities' | 'sight'>, shows: readonly Shows[] = []): boolean =>
  shows.every((each) => (each === 'costs' ? abilities.has('product.cost') : sight === undefined));

/** Files that only some may see: each of them gets a link of their own, for a quarter of an hour. */
export class PrivateFiles {
  constructor(private readonly parts: Parts) {}

  /** The file as this caller may see it: with a link of theirs when it is private and they may open it. */
  shownTo(caller: Pick<Caller, 'storeId' | 'kind' | 'actor' | 'name' | 'abilities'>, media: Media): Media {
    if (media.url !== null || !mayRead(caller, media.purpose)) return media;
    const { storeId, kind, actor: id, name } = caller;
    const link = { method: 'GET', storeId, mediaId: media.id, holder: { kind, id, name } } as const;
    return { ...media, url: this.parts.links.make(link, LIFE_MS).url };
  }

  /** A link to a digital file for who has bought it: for a minute, in which they may begin again, also in the middle. */
  forBuyer(storeId: string, mediaId: string): string {
    return this.parts.links.make({ method: 'GET', storeId, mediaId, holder: BUYER }, BUYER_LIFE_MS).url;
  }

  /** A link to a report for whoever asked for it, while it is kept, and they may see what it shows; null when that is over. */
  async forMaker({ storeId, mediaId, holder, shows }: Omit<FileLink, 'method'>): Promise<string | null> {
    const { sql, links } = this.parts;
    const [left] = await sql.prepared<{ ends: Date }>('report kept', LEFT, [storeId, mediaId]);
    return left ? links.until({ method: 'GET', storeId, mediaId, holder, shows: shows ?? [] }, left.ends) : null;
  }

  /** Whoever has the link, as long as the one for whom it was made may see the file now. */
  readonly guard: Guard<OpenedFile> = {
    label: 'none+link',
    refuses: [refusals.linkExpired],
    authenticate: async ({ params }) => {
      const { sql, links, access } = this.parts;
      const link = links.read(params?.token ?? '', 'GET');
      const isBuyer = link.holder.kind === BUYER.kind;
      const holder = isBuyer ? undefined : await holderNow(access, link);
      const values = [link.storeId, link.mediaId];
      type Found = Pick<Media, 'mime' | 'name'> & { readonly key: string; readonly purpose: Kept };
      const [file] = await sql.query<Found>(FIND, values);
      const may = holder ? mayRead(holder, file?.purpose) && maySee(holder, link.shows) : file?.purpose === 'digital';
      if (!file || !may) throw refusals.linkExpired();
      const opened = { storeId: link.storeId, key: file.key, mime: file.mime };
      return isBuyer || file.purpose === 'report' ? { ...opened, filename: file.name } : opened;
    },
  };
}

/** For whom a link was made, as they are now. Throws `expired` when they may not act in the store any more. */
export const holderNow = async (access: Holders, { storeId, holder }: FileLink): Promise<Standing> => {
  const admitted = await access.again(storeId, holder).catch((failure: unknown) => {
    throw failure instanceof Forbidden || failure instanceof Unauthenticated ? refusals.linkExpired() : failure;
  });
  if (admitted.suspended) throw refusals.linkExpired();
  return admitted;
};
