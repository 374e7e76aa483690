import type { Sql } from '@platform/data';
import { demandFields, type KindFields } from '../../../kind-fields';
import { demandRows } from '../../../known-rows';
import { safePage, safeTarget } from '../attribution/public';
import type { BlockBody, BlockContent, BlockKind } from './blocks.dto';

const FIELDS: Readonly<Record<BlockKind, KindFields<keyof BlockContent>>> = {
  link: { needs: ['title', 'url'] },
  whatsapp: { needs: ['title', 'phone'], may: ['text'] },
  product: { needs: ['product_id'], may: ['title'] },
  checkout: { needs: ['checkout_link_id'], may: ['title'] },
  video: { needs: ['url'], may: ['title'] },
  heading: { needs: ['title'] },
  social: { needs: ['links'] },
  qr: { needs: ['url'], may: ['title'] },
};
const ROWS = ['product_id', 'checkout_link_id'] as const;

/** What a page may show. Throws `InvalidInput` for fields of other kinds and unsafe addresses, `NotFound` for rows that the store has not. */
export const checkedData = async (sql: Sql, storeId: string, { kind, data }: BlockBody): Promise<BlockContent> => {
  demandFields(kind, data, FIELDS[kind]);
  const { url, links, ...rest } = data;
  const safe = kind === 'video' ? safePage : safeTarget;
  const checked = {
    ...rest,
    ...(url !== undefined && { url: safe('data.url', url) }),
    ...(links && { links: links.map((link, at) => ({ ...link, url: safePage(`data.links[${at}].url`, link.url) })) }),
  };
  for (const name of ROWS) {
    const id = data[name];
    if (id !== undefined) await demandRows(sql, storeId, [name, [id]], () => `data.${name}`);
  }
  return checked;
};
