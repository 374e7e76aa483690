import { createHash } from 'node:crypto';
import type { SecretBox } from '@platform/auth';
import { slugWords } from '../../catalogue/slugs/public';
import { keyColumns } from '../../digital/keys/public';
import { idOf } from '../shop/public';
import type { Picture } from './catalogue.rows';
import { DAY_MS, later, type Scene } from './scene';
import type { Rows } from './rows';

const COURSE = {
  ...{ code: 'KELAS-JAHIT', name: 'Kelas Menjahit Topi', price: 150_000, weight_g: 0 },
  description: 'Dua belas pelajaran, dengan pola yang bisa dicetak.',
};
const LESSONS = Array.from({ length: 12 }, (_, at) => `Pelajaran ${at + 1}: langkah ${at + 1} dari dua belas.`);
const KEYS = 24;
const TERMS = { max_downloads: 5, valid_days: 30, needs_key: true };

interface Sold {
  readonly storeId: string;
  readonly id: string;
  readonly box: SecretBox;
  readonly times: object;
}

const addKeys = (rows: Rows, { storeId, id: productId, box, times }: Sold): void => {
  for (let nth = 1; nth <= KEYS; nth += 1) {
    const id = idOf(storeId, 'license key', `${COURSE.code}/${nth}`);
    const text = `JAHIT-${id.slice(0, 8)}-${String(nth).padStart(4, '0')}`.toUpperCase();
    const sealed = keyColumns(box, { storeId, id, productId }, text);
    rows.add('license_key', { store_id: storeId, id, product_id: productId, ...sealed, state: 'free', ...times });
  }
};

/** A course that is sold by key, with what its buyers download; nobody has bought it yet. Resolves to the files. */
export const addDownloads = (rows: Rows, { storeId, now, days }: Scene, box: SecretBox): Picture[] => {
  const at = later(now, -Math.min(days, 20) * DAY_MS);
  const times = { created_at: at, updated_at: at };
  const { code, name, price, ...product } = COURSE;
  const [id, mediaId] = [idOf(storeId, 'product', code), idOf(storeId, 'media', code)];
  const of = { store_id: storeId };
  rows.add('product', {
    ...{ ...of, ...product, id, name, slug: slugWords(name), status: 'active', options: [], kind: 'digital' },
    ...{ category_id: null, taxable: true, search_text: `${name} ${code}`.toLowerCase(), price_min: price, seo: null },
    ...times,
  });
  rows.add('variant', {
    ...{
      ...of,
      id: idOf(storeId, 'variant', code),
      product_id: id,
      sku: code,
      barcode: null,
      option_values: {},
      price,
    },
    ...{ compare_at: null, cost: 0, weight_g: null, tiers: [], track_stock: false, allow_backorder: false },
    ...{ status: 'active', ...times },
  });
  const file = { key: `${mediaId}.txt`, bytes: Buffer.from(`${LESSONS.join('\n')}\n`) };
  rows.add('media', {
    ...{ ...of, id: mediaId, key: file.key, name: 'kelas-menjahit.txt', mime: 'text/plain', bytes: file.bytes.length },
    ...{ sha256: createHash('sha256').update(file.bytes).digest('hex'), width: null, height: null },
    ...{ purpose: 'digital', refs: 1, confirmed_at: at, created_at: at },
  });
  rows.add('digital_product', { ...of, product_id: id, ...TERMS, ...times });
  const asset = { id: idOf(storeId, 'digital asset', code), product_id: id, media_id: mediaId };
  rows.add('digital_asset', { ...of, ...asset, created_at: at });
  addKeys(rows, { storeId, id, box, times });
  return [file];
};
