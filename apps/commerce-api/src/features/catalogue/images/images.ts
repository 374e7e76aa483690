import type { Database, Sql } from '@platform/data';
import { Conflict, InvalidInput, NotFound, type Failure } from '@platform/errors';
import type { Upload } from '@platform/http';
import { List, Text, Texts } from '@platform/validation';
import type { By } from '../../../by';
import type { MediaLibrary } from '../../media/uploads/public';
import { ProductImage } from '../products/public';
import { productsTouched } from '../search/public';

export type { MediaLibrary };

const MOST_IMAGES = 20;

export const imageRefusals = {
  tooMany: (): Failure => new Conflict(`A product has at most ${MOST_IMAGES} pictures`, { code: 'too_many_images' }),
} as const;

export class NewImages {
  @Texts({ optional: true, min: 1, max: 10, maxLength: 36 }) media_ids?: string[];
}

export class ImageOrder {
  @Texts({ min: 1, max: MOST_IMAGES, maxLength: 36 }) ids!: string[];
}

export class ProductImages {
  @Text({ format: 'uuid' }) product_id!: string;
  @List(() => ProductImage) images!: ProductImage[];
}

const imagesOf = (sql: Sql, storeId: string, id: string): Promise<ProductImage[]> =>
  sql.query<ProductImage>(
    'SELECT id, url, position FROM product_image WHERE store_id = $1 AND product_id = $2 ORDER BY position',
    [storeId, id],
  );

const invalid = (field: string, text: string): InvalidInput =>
  new InvalidInput([{ field, tag: 'images', message: `${field} ${text}` }]);

const INSERT = `INSERT INTO product_image (store_id, id, product_id, position, url, media_id)
  SELECT $1, uuidv7(), $2, $3::int + i.place, i.url, i.id FROM unnest($4::text[], $5::uuid[]) WITH ORDINALITY AS i(url, id, place)`;
/** Places are unique: all leave theirs before any takes another's. */
const LEAVE = 'UPDATE product_image SET position = -1 - position WHERE store_id = $1 AND product_id = $2';
const PLACE = `UPDATE product_image p SET position = i.place - 1 FROM unnest($3::uuid[]) WITH ORDINALITY AS i(id, place)
  WHERE p.store_id = $1 AND p.product_id = $2 AND p.id = i.id`;

/** Pictures of products, in the order in which the shop shows them. Every change is made under the product's lock. */
export class ProductImagesService {
  constructor(
    private readonly database: Pick<Database, 'tx'> & Sql,
    private readonly media: MediaLibrary,
  ) {}

  /** Adds files that come with the request, or such as were uploaded before. */
  async add(by: By, id: string, uploads: readonly Upload[], given: readonly string[] = []): Promise<ProductImages> {
    if ((given.length === 0) === (uploads.length === 0)) throw invalid('media_ids', 'or files are required, not both');
    // Nothing is stored for a product that is not there
    await this.find(this.database, by.storeId, id);
    const kept: string[] = [];
    for (const upload of uploads) kept.push((await this.media.keep(by, upload, 'product')).id);
    const ids = [...given, ...kept];
    return this.changed(by, id, async (tx, before) => {
      if (before.length + ids.length > MOST_IMAGES) throw imageRefusals.tooMany();
      const shown = await this.media.show(tx, by.storeId, ids);
      const last = before.at(-1)?.position ?? -1;
      await tx.query(INSERT, [by.storeId, id, last, shown.map(({ url }) => url), shown.map((one) => one.id)]);
    });
  }

  /** Throws `InvalidInput` unless it names every picture once. */
  reorder(by: By, id: string, ids: readonly string[]): Promise<ProductImages> {
    return this.changed(by, id, async (tx, before) => {
      const wanted = ids.map((one) => one.toLowerCase());
      const all = wanted.length === before.length && before.every((image) => wanted.includes(image.id));
      if (!all) throw invalid('ids', 'must name every picture once');
      await tx.query(LEAVE, [by.storeId, id]);
      await tx.query(PLACE, [by.storeId, id, wanted]);
    });
  }

  /** The one that the shelves of the shop show. Throws `NotFound`. */
  showFirst(by: By, id: string, imageId: string): Promise<ProductImages> {
    return this.changed(by, id, async (tx, before) => {
      if (!before.some((image) => image.id === imageId)) throw new NotFound('Picture not found');
      const others = before.filter((image) => image.id !== imageId).map((image) => image.id);
      await tx.query(LEAVE, [by.storeId, id]);
      await tx.query(PLACE, [by.storeId, id, [imageId, ...others]]);
    });
  }

  /** The file stays in the library. */
  remove(by: By, id: string, imageId: string): Promise<ProductImages> {
    return this.changed(by, id, async (tx) => {
      const remove = 'DELETE FROM product_image WHERE store_id = $1 AND product_id = $2 AND id = $3 RETURNING media_id';
      const [gone] = await tx.query<{ media_id: string | null }>(remove, [by.storeId, id, imageId]);
      if (!gone) throw new NotFound('Picture not found');
      if (gone.media_id) await this.media.hide(tx, by, gone.media_id);
    });
  }

  private async find(sql: Sql, storeId: string, id: string, lock = ''): Promise<void> {
    const found = await sql.query(`SELECT 1 FROM product WHERE store_id = $1 AND id = $2 ${lock}`, [storeId, id]);
    if (found.length === 0) throw new NotFound('Product not found');
  }

  private changed(
    by: By,
    id: string,
    change: (tx: Sql, before: ProductImage[]) => Promise<void>,
  ): Promise<ProductImages> {
    return this.database.tx(async (tx) => {
      await this.find(tx, by.storeId, id, 'FOR UPDATE');
      await change(tx, await imagesOf(tx, by.storeId, id));
      await productsTouched(tx, by, 'p.id = $2', [id]);
      return { product_id: id, images: await imagesOf(tx, by.storeId, id) };
    });
  }
}
