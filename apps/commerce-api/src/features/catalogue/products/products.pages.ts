import type { AreaParts } from '../../../area';
import type { Reader } from '../../../web/i18n/reader';
import { page, type action } from '../../../web/page';
import type { PageDefinition } from '../../../web/page.types';
import { NewProductView, type Choices } from './product.forms';
import { movementsOf, MovementsQuery } from './product-stock';
import { productById } from './product.sql';
import { productView, type Pictures } from './product.view';
import { ProductsQuery, type ProductRow } from './products.dto';
import type { ProductsService } from './products.service';
import { productTexts } from './products.texts';
import { ListTools, ProductList } from './products.view';

interface Named {
  readonly id: string;
  readonly name: string;
}

type Texts = Required<Pick<PageDefinition<unknown, unknown>, 'labels' | 'conflicts'>>;

/** What the page of a product shows and does of its pictures. */
export interface PicturesPart extends Texts {
  readonly section: Pictures;
  readonly actions: Readonly<Record<string, ReturnType<typeof action>>>;
}

export interface PageParts extends Pick<AreaParts, 'database' | 'clock' | 'cursors'> {
  readonly products: ProductsService;
  /** Of the store, children under their parents. */
  readonly categories: (storeId: string) => Promise<Choices['categories']>;
  /** Of the store, the default one first. */
  readonly warehouses: (storeId: string) => Promise<readonly Named[]>;
  readonly pictures: PicturesPart;
}

/** Lines of the history that a page shows. */
const LATEST = 20;

const labels = (t: Reader) => {
  const say = productTexts(t);
  return {
    ...{ name: say.name, description: say.description, category_id: say.category, kind: say.kind },
    ...{ option: say.option, choices: say.choices },
    ...{ price: say.price, compare_at: say.compareAt, sku: say.sku, barcode: say.barcode },
    ...{ weight_g: say.weight, slug: say.slug, status: say.status },
    ids: say.picked,
    ...{
      variant_id: say.variant,
      warehouse_id: say.warehouse,
      on_hand: say.counted,
      reason: say.reason,
      note: say.note,
    },
  };
};

const taken = (label: 'slug' | 'sku') => ({
  field: label,
  text: (t: Reader) => t.form.rules.unique({ label: productTexts(t)[label] }),
});
const conflicts = {
  ...{ slug_taken: taken('slug'), sku_taken: taken('sku') },
  below_reserved: { field: 'on_hand', text: (t: Reader) => productTexts(t).belowReserved },
};

const shared = { labels, conflicts };

export const listPage = ({ products }: PageParts) =>
  page({
    get: '/products',
    ability: 'product.read',
    own: 'market',
    query: ProductsQuery,
    title: ({ t }) => t.nav.places.products,
    load: async ({ viewer: { caller }, query }) => {
      const { data, meta } = await products.list(caller, { ...query, view: 'product' });
      const { total, current_page: at, per_page: perPage, fuzzy = false } = meta;
      return { rows: data as ProductRow[], total, page: at, perPage, fuzzy };
    },
    view: ProductList,
    fragments: { list: ProductList },
    tools: ListTools,
    ...shared,
  });

export const newPage = ({ categories }: PageParts) =>
  page({
    get: '/products/create',
    ability: 'product.write',
    back: '/products',
    title: ({ t }) => productTexts(t).create,
    load: async ({ viewer: { caller } }) => ({ categories: await categories(caller.storeId) }),
    view: NewProductView,
    ...shared,
  });

export const onePage = ({ database, cursors, categories, warehouses, pictures }: PageParts) =>
  page({
    get: '/products/{id}',
    ability: 'product.read',
    back: '/products',
    title: ({ data }) => data.product.name,
    load: async ({ viewer: { caller }, params }) => {
      const { storeId } = caller;
      const product = await productById(database, storeId, params.id ?? '');
      const query = Object.assign(new MovementsQuery(), { product: product.id, limit: LATEST });
      const [known, places, { rows }] = await Promise.all([
        categories(storeId),
        warehouses(storeId),
        movementsOf(database, cursors, storeId, query),
      ]);
      return { product, choices: { categories: known }, warehouses: places, movements: rows };
    },
    view: productView(pictures.section),
    own: 'market',
    labels: (t: Reader) => ({ ...labels(t), ...pictures.labels(t) }),
    conflicts: { ...conflicts, ...pictures.conflicts },
  });
