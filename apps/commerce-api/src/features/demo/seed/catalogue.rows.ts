import { createHash } from 'node:crypto';
import { slugWords } from '../../catalogue/slugs/public';
import type { Sold } from './planned.types';
import { DAY_MS, HOUR_MS, later, type Scene } from './scene';
import { colourIn, Painter, PICTURE_SIDE, type Drawing } from '../pictures/public';
import { categories, Chance, type Goods, goods, idOf } from '../shop/public';
import type { DemoProduct } from './demo-shop.types';
import type { Rows } from './rows';

/** A picture that is to be kept under a name of its own. */
export interface Picture {
  readonly key: string;
  readonly bytes: Buffer;
}

/** Where files of the store are to be seen. */
export type UrlOf = (key: string) => string;

type Values = Readonly<Record<string, string>>;

const valuesOf = ({ colours, sizes }: Goods): Values[] =>
  colours.flatMap((Warna) => (sizes ? sizes.map((Ukuran) => ({ Warna, Ukuran })) : [{ Warna }]));
const optionsOf = ({ colours, sizes }: Goods) => [
  { name: 'Warna', values: colours },
  ...(sizes ? [{ name: 'Ukuran', values: sizes }] : []),
];
const skuOf = ({ code }: Goods, value: Values): string => [code, ...Object.values(value)].join('-').toUpperCase();

interface ProductRow {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly status: string;
  readonly description: string;
  readonly options: readonly object[];
  readonly weight_g: number;
  readonly category: string;
  readonly skus: readonly string[];
  /** Colours and sizes. */
  readonly chosen: readonly string[];
  readonly price: number;
  readonly at: Date;
}

/** What lies in the second warehouse, too. */
const BOTH: ReadonlySet<string> = new Set(['DRY', 'PENDEK', 'KAKI', 'TOPI', 'HANDUK', 'TRAIL', 'KOK']);

/** What goods that are told look like, by the first word of their names; others have no picture. */
const DRAWINGS: readonly (readonly [string, Drawing])[] = [
  ['Sepatu', 'shoe'],
  ['Kaos', 'shirt'],
  ['Botol', 'bottle'],
];

/** The catalogue of the shop; pictures are drawn while it is written. */
export class CatalogueRows {
  readonly sold: Sold[] = [];
  readonly pictures: Picture[] = [];
  private readonly painter = new Painter();

  constructor(
    private readonly rows: Rows,
    private readonly scene: Scene,
    private readonly urlOf: UrlOf,
  ) {}

  private id(kind: string, name: string): string {
    return idOf(this.scene.storeId, kind, name);
  }

  /** Days before today. */
  private ago(days: number): Date {
    return later(this.scene.now, -days * DAY_MS - 3 * HOUR_MS);
  }

  /** The category and those that it is part of. */
  private categoryIds(name: string): string[] {
    const parent = categories.find(([each]) => each === name)?.[1];
    return [this.id('category', name), ...(parent ? this.categoryIds(parent) : [])];
  }

  /** `more` are names of categories besides those of the shop. */
  addCategories(more: readonly string[]): void {
    const known = categories.map(([name]) => name);
    const all = [
      ...categories,
      ...[...new Set(more)].filter((name) => !known.includes(name)).map((name) => [name] as const),
    ];
    const times = { created_at: this.ago(this.scene.days + 4), updated_at: this.ago(this.scene.days + 4) };
    all.forEach(([name, parent], position) =>
      this.rows.add('category', {
        ...{
          store_id: this.scene.storeId,
          id: this.id('category', name),
          parent_id: parent ? this.id('category', parent) : null,
        },
        ...{ name, slug: slugWords(name), position, ...times },
      }),
    );
  }

  /** Goods with one variant and a stock that is told. */
  addGiven({ sku, name, category, description, price }: DemoProduct): void {
    const productId = this.id('product', sku);
    const at = this.ago(this.scene.days + 3);
    const weight_g = 1_000;
    const product = {
      id: productId,
      name,
      slug: slugWords(name),
      status: 'active',
      weight_g,
      options: [],
      description,
      category,
    };
    this.addProduct({ ...product, skus: [sku], chosen: [], price, at });
    const one = { code: sku, name, category, description, price, costs: 55, weightG: weight_g, liked: 3 };
    const drawing = DRAWINGS.find(([word]) => name.startsWith(word))?.[1];
    const drawn: Goods = { ...one, drawing: drawing ?? 'block', colours: [colourIn(name)] };
    const imageUrl = drawing ? this.addPictures(drawn, productId, at) : null;
    this.addVariant(drawn, {}, { productId, imageUrl, at });
  }

  addGoods(): void {
    goods.forEach((one, index) => this.addOne(one, index));
  }

  private addOne(one: Goods, index: number): void {
    const chance = new Chance(`${this.scene.storeId}/goods/${one.code}`);
    // Some are new
    const at = this.ago(index % 9 === 4 && one.liked > 0 ? chance.whole(5, 25) : this.scene.days + 3 - (index % 3));
    const productId = this.id('product', one.code);
    const values = valuesOf(one);
    this.addProduct({
      ...{
        id: productId,
        name: one.name,
        slug: slugWords(one.name),
        status: one.status ?? 'active',
        weight_g: one.weightG,
      },
      ...{ description: one.description, category: one.category, options: optionsOf(one), price: one.price, at },
      skus: values.map((value) => skuOf(one, value)),
      chosen: [...new Set(values.flatMap((value) => Object.values(value)))],
    });
    const imageUrl = this.addPictures(one, productId, at);
    for (const value of values) this.addVariant(one, value, { productId, imageUrl, at });
  }

  private addProduct({ skus, chosen, price, category, at, ...given }: ProductRow): void {
    // As `productsTouched` builds it
    const byId = skus.toSorted((one, other) => (this.id('variant', one) < this.id('variant', other) ? -1 : 1));
    this.rows.add('product', {
      ...{
        store_id: this.scene.storeId,
        ...given,
        kind: 'physical',
        category_id: this.id('category', category),
        taxable: true,
      },
      ...{
        search_text: [given.name, category, ...byId, ...chosen.toSorted()].join(' ').toLowerCase(),
        price_min: price,
        seo: null,
      },
      ...{ created_at: at, updated_at: at },
    });
  }

  private addVariant(
    one: Goods,
    value: Values,
    { productId, imageUrl, at }: { productId: string; imageUrl: string | null; at: Date },
  ): void {
    const sku = skuOf(one, value);
    const [id, cost, name] = [
      this.id('variant', sku),
      Math.round((one.price * one.costs) / 100),
      [one.name, ...Object.values(value)].join(' '),
    ];
    const [minQty, price] = one.tier ?? [];
    this.rows.add('variant', {
      ...{
        store_id: this.scene.storeId,
        id,
        product_id: productId,
        sku,
        barcode: null,
        option_values: value,
        price: one.price,
      },
      ...{ compare_at: one.before ?? null, cost, weight_g: null, tiers: minQty ? [{ min_qty: minQty, price }] : [] },
      ...{ track_stock: true, allow_backorder: false, status: 'active', created_at: at, updated_at: at },
    });
    if (one.liked > 0) this.sold.push(this.soldOf(one, { sku, id, cost, name, productId, imageUrl }));
  }

  private soldOf(
    one: Goods,
    { id, ...row }: Pick<Sold, 'sku' | 'cost' | 'name' | 'productId' | 'imageUrl'> & { id: string },
  ): Sold {
    const [minQty, price] = one.tier ?? [];
    return {
      ...{
        ...row,
        code: one.code,
        liked: one.liked / valuesOf(one).length,
        isInBoth: BOTH.has(one.code),
        variantId: id,
      },
      ...{ categoryIds: this.categoryIds(one.category), price: one.price, taxable: true, kind: 'physical' },
      ...{ tiers: minQty && price ? [{ minQty, price, tagId: null }] : [], weightG: one.weightG, trackStock: true },
      needsKey: false,
    };
  }

  /** One of each colour; resolves to the address of the first. */
  private addPictures({ code, name, drawing, colours }: Goods, productId: string, at: Date): string {
    const of = { store_id: this.scene.storeId };
    const urls = colours.map((colour, position) => {
      const mediaId = this.id('media', `${code}/${colour}`);
      const [key, bytes] = [`${mediaId}.png`, this.painter.picture(drawing, colour)];
      const url = this.urlOf(key);
      this.pictures.push({ key, bytes });
      this.rows.add('media', {
        ...{
          ...of,
          id: mediaId,
          key,
          name: `${slugWords(`${name} ${colour}`)}.png`,
          mime: 'image/png',
          bytes: bytes.length,
        },
        ...{ sha256: createHash('sha256').update(bytes).digest('hex'), width: PICTURE_SIDE, height: PICTURE_SIDE },
        ...{ purpose: 'product', refs: 1, confirmed_at: at, created_at: at },
      });
      this.rows.add('product_image', {
        ...of,
        id: this.id('image', `${code}/${colour}`),
        product_id: productId,
        position,
        url,
        media_id: mediaId,
      });
      return url;
    });
    return urls[0] ?? '';
  }
}
