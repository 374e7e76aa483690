import { NotFound } from '@platform/errors';
import { Text } from '@platform/validation';
import { byOf } from '../../../by';
import type { Pages } from '../../../web/kit';
import { Seen } from '../../../web/seen';
import { action, actions, form, type FormOf } from '../../../web/page';
import { within } from '../../../web/within';
import { FILE_LIMIT } from '../../media/uploads/public';
import { openWarehouses } from '../../stock/warehouses/public';
import { variantById, VariantChange, VariantsService } from '../variants/public';
import { bulkUpdate } from './bulk-update';
import { BulkUpdate, ProductChange } from './product.dto';
import { choicesTyped, ChoicesTyped, productTyped, ProductTyped } from './product.typed';
import { productById } from './product.sql';
import { adjustStock, StockAdjustment } from './product-stock';
import { ProductWriteService } from './product-write.service';
import { listPage, newPage, onePage, type PageParts } from './products.pages';
import { productTexts } from './products.texts';

/** The form of a product. */
class ProductEdit extends ProductChange {
  @Seen() seen!: string;
}

/** The form of one of its variants, which its name tells. */
class VariantEdit extends VariantChange {
  @Text({ format: 'uuid' }) variant_id!: string;
  @Seen() seen!: string;
}

const to = (id: string): string => `/products/${id}`;
type Ids = { readonly id?: string };
const idOf = ({ id = '' }: Ids): string => id;

const saving = (by: ReturnType<typeof byOf>) =>
  action({
    body: ProductEdit,
    run: ({ viewer, params, body: { seen, ...change }, tx }) =>
      new ProductWriteService(within(tx)).changeIn(tx, by(viewer), idOf(params), change, seen),
    done: ({ id, name }, { t }) => ({ to: to(id), flash: productTexts(t).saved({ name }) }),
  });

const archiving = (by: ReturnType<typeof byOf>) =>
  action({
    run: ({ viewer, params, tx }) =>
      new ProductWriteService(within(tx)).changeIn(tx, by(viewer), idOf(params), { status: 'archived' }),
    done: ({ name }, { t }) => ({ to: '/products', flash: productTexts(t).archived({ name }) }),
  });

const pricing = (by: ReturnType<typeof byOf>) =>
  action({
    body: VariantEdit,
    run: async ({ viewer, params, body: { variant_id, seen, ...change }, tx }) => {
      const { product_id } = await variantById(tx, viewer.caller.storeId, variant_id);
      if (product_id !== idOf(params)) throw new NotFound('Variant not found');
      return new VariantsService(within(tx)).changeIn(tx, by(viewer), variant_id, change, seen);
    },
    done: ({ product_id, sku }, { t }) => ({ to: to(product_id), flash: productTexts(t).variantSaved({ sku }) }),
  });

const choosing = (by: ReturnType<typeof byOf>) =>
  action({
    body: ChoicesTyped,
    typedAt: (name) => (name.startsWith('options') ? 'choices' : name),
    run: async ({ viewer, params, body, tx }) => {
      const product = await productById(tx, viewer.caller.storeId, idOf(params));
      return new VariantsService(within(tx)).generate(by(viewer), choicesTyped(product, body));
    },
    done: (made, { t, params }) => {
      const say = productTexts(t);
      const isCounted = made.some(({ track_stock }) => track_stock);
      const said = [say.choicesAdded({ count: t.count(made.length) }), ...(isCounted ? [say.enterStock] : [])];
      return { to: to(idOf(params)), flash: said.join(' ') };
    },
  });

const changes = ({ clock, pictures }: PageParts, of: FormOf['of']): readonly Pages[] => {
  const by = byOf(clock);
  const write = { ability: 'product.write', of } as const;
  return [
    actions({
      ...{ ...write, post: '/products/{id}', mostBytes: FILE_LIMIT, fileAction: 'image_add' },
      on: {
        save: saving(by),
        archive: archiving(by),
        variant: pricing(by),
        choices: choosing(by),
        ...pictures.actions,
      },
    }),
    actions({
      ...{ ...write, post: '/products/{id}/duplicate' },
      on: {
        duplicate: action({
          run: ({ viewer, params, tx }) => new ProductWriteService(within(tx)).duplicate(by(viewer), idOf(params)),
          done: ({ id, name }, { t }) => ({ to: to(id), flash: productTexts(t).duplicated({ name }) }),
        }),
      },
    }),
    actions({
      ...{ post: '/products/{id}/stock', ability: 'stock.write', of },
      on: {
        stock: action({
          body: StockAdjustment,
          run: ({ viewer, params, body, tx }) => adjustStock(tx, by(viewer), idOf(params), body),
          done: (_, { t, params }) => ({ to: to(idOf(params)), flash: productTexts(t).stockSaved }),
        }),
      },
    }),
  ];
};

/** What the API's products are to people. */
export const productPages = (parts: PageParts): Pages => {
  const by = byOf(parts.clock);
  const [all, fresh, single] = [listPage(parts), newPage(parts), onePage(parts)];
  const created = form({
    ...{ post: '/products', ability: 'product.write', of: fresh },
    body: ProductTyped,
    run: async ({ viewer, body, tx }) => {
      const [main] = await openWarehouses(tx)(viewer.caller.storeId);
      return new ProductWriteService(within(tx)).createIn(tx, by(viewer), productTyped(body, main?.id));
    },
    done: ({ id, name }, { t }) => ({ to: to(id), flash: productTexts(t).created({ name }) }),
  });
  const several = form({
    ...{ post: '/products/bulk', ability: 'product.write', of: all },
    body: BulkUpdate,
    run: ({ viewer, body, tx }) => bulkUpdate(tx, by(viewer), body),
    done: ({ changed, failed }, { t }) => {
      const [say, count] = [productTexts(t), t.count(changed.length)];
      const flash =
        failed.length === 0 ? say.bulk({ count }) : say.bulkFailed({ count, failed: t.count(failed.length) });
      return { to: '/products', flash };
    },
  });
  return (kit) => [all, fresh, created, several, single, ...changes(parts, single)].flatMap((pages) => pages(kit));
};
