import type { Database, Sql } from '@platform/data';
import { NotFound } from '@platform/errors';
import { Redirect } from '@platform/http';
import { Int, Text } from '@platform/validation';
import { BEGUN, buyerAction, buyerForms, buyerPage, type BuyerAsked } from '../../../web/buyer.page';
import { ofSlug } from '../../../endpoint';
import type { Pages } from '../../../web/kit';
import {
  productOf,
  shelvesOf,
  StorefrontQuery,
  waysOf,
  windowOf,
  type ShopWindow,
} from '../../catalogue/storefront/public';
import { asSoldOut, type Sessions } from '../../checkout/sessions/public';
import { cartOf, cookiesFor } from './browser.carts';
import { shopPagesOf } from './policies';
import { shopTexts } from './shop.texts';
import { priceOf, ProductPage } from './product.view';
import { EmptyCart, ProductList, shelfName, ShopHome } from './shop.view';
import { PolicyPage } from './ways.view';

export interface ShopParts {
  readonly database: Database | Sql;
  readonly sessions: Sessions;
}

/** Of the first page. */
const NEWEST = 12;
const PER_PAGE = 24;

/** One variant and how many of it. */
class CartAdd {
  @Text({ format: 'uuid' }) variant_id!: string;
  @Int({ optional: true, min: 1, max: 9999 }) qty?: number;
}

type Asked = Pick<BuyerAsked, 'params'>;
const slugIn = ({ params }: Asked): string => (params.slug ?? '').toLowerCase();
const common = { guard: 'visitor', tenantOf: (asked: Asked) => ofSlug(slugIn(asked)) } as const;
const picturesOf = ({ listed }: { listed: { rows: readonly { images: readonly { url: string }[] }[] } }): string[] =>
  listed.rows.flatMap(({ images }) => images.slice(0, 1).map(({ url }) => url));

const lookedAt = async (database: ShopParts['database'], shop: ShopWindow, query: StorefrontQuery) => {
  const [listed, ways] = await Promise.all([shelvesOf(database, shop, query), waysOf(database, shop, query.category)]);
  return { listed, ways };
};

const homePage = ({ database }: ShopParts) =>
  buyerPage({
    ...{ ...common, get: '/s/{slug}', isPublic: true },
    load: async (asked) => {
      const shop = await windowOf(database, slugIn(asked));
      return { shop, query: {}, ...(await lookedAt(database, shop, { per_page: NEWEST })) };
    },
    shop: ({ shop }) => shop,
    title: (_, t) => shopTexts(t).home,
    preview: ({ shop: { name, description } }) => ({ title: name, description }),
    view: ShopHome,
    counts: ({ shop: { slug } }) => ({ slug }),
    pictures: picturesOf,
  });

const listPage = ({ database }: ShopParts) =>
  buyerPage({
    ...{ ...common, get: '/s/{slug}/products', query: StorefrontQuery, isPublic: true },
    load: async (asked) => {
      const shop = await windowOf(database, slugIn(asked));
      const query = asked.query as StorefrontQuery;
      return { shop, query, ...(await lookedAt(database, shop, { per_page: PER_PAGE, ...query })) };
    },
    shop: ({ shop }) => shop,
    title: (data, t) => shelfName(data, t),
    view: ProductList,
    counts: ({ shop: { slug } }) => ({ slug }),
    pictures: picturesOf,
  });

const productPage = ({ database }: ShopParts) =>
  buyerPage({
    ...{ ...common, get: '/s/{slug}/products/{productSlug}', isPublic: true },
    load: async (asked) => {
      const shop = await windowOf(database, slugIn(asked));
      return { shop, product: await productOf(database, shop, asked.params.productSlug ?? '') };
    },
    shop: ({ shop }) => shop,
    title: ({ product }) => product.name,
    preview: ({ product }, t) => ({
      description: [priceOf(product, t), product.description].filter((each) => each !== '').join(' · '),
      picture: product.images[0]?.url,
    }),
    view: ProductPage,
    counts: ({ shop: { slug } }) => ({ slug, event: 'view_content' }),
    pictures: ({ product }) => product.images.map(({ url }) => url),
  });

/** What a shop says of itself; a page that says nothing is not there. */
const policyPage = ({ database }: ShopParts) =>
  buyerPage({
    ...{ ...common, get: '/s/{slug}/pages/{page}', isPublic: true },
    load: async (asked) => {
      const shop = await windowOf(database, slugIn(asked));
      const found = shopPagesOf(shop).find(({ page }) => page === asked.params.page);
      if (!found) throw new NotFound('Page not found');
      return { shop, ...found };
    },
    shop: ({ shop }) => shop,
    title: ({ page }, t) => shopTexts(t).policies[page],
    view: PolicyPage,
    counts: ({ shop: { slug } }) => ({ slug }),
  });

const cartPage = (parts: ShopParts) =>
  buyerPage({
    ...{ ...common, get: '/s/{slug}/cart' },
    load: async (asked) => {
      const shop = await windowOf(parts.database, slugIn(asked));
      const cart = await cartOf(parts.sessions, shop.slug, asked.cookies);
      if (cart && cart.lines.length > 0) return new Redirect(`/checkout/${cart.token}`, 303);
      return { shop };
    },
    shop: ({ shop }) => shop,
    title: (_, t) => shopTexts(t).cart,
    view: EmptyCart,
    conflicts: { out_of_stock: { text: (t) => shopTexts(t).soldOutNow } },
    labels: (t) => ({ variant_id: shopTexts(t).variant, qty: shopTexts(t).qty }),
  });

/** So many of it are in the cart, however often the form is sent: of one variant there is one line. */
const add = (parts: ShopParts) =>
  buyerAction({
    body: CartAdd,
    run: async ({ params, body: { variant_id, qty = 1 }, cookies }) => {
      const { slug } = await windowOf(parts.database, slugIn({ params }));
      const cart = await cartOf(parts.sessions, slug, cookies);
      const wanted = { variant_id: variant_id.toLowerCase(), qty };
      if (!cart) {
        const { token } = await parts.sessions.start({ store_slug: slug, items: [wanted] }).catch(asSoldOut);
        return { to: `/checkout/${token}`, cookies: cookiesFor(slug, token, cookies) };
      }
      await parts.sessions.putItem(cart.key, wanted).catch(asSoldOut);
      return `/checkout/${cart.token}`;
    },
  });

/** A shop that everybody may look at, and the cart that leads from it to the checkout. */
export const shopPages = (parts: ShopParts): Pages => {
  const cart = cartPage(parts);
  const forms = buyerForms({ post: '/s/{slug}/cart', of: cart, requests: BEGUN, on: { save: add(parts) } });
  const all = [homePage(parts), listPage(parts), productPage(parts), policyPage(parts), cart, forms];
  return (kit) => all.flatMap((each) => each(kit));
};
