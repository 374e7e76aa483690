import type { ListedPage } from '@platform/data';
import { pageMeta } from '@platform/http';
import type { JSX } from 'preact';
import type { BuyerShown } from '../../../web/buyer.page';
import type { Reader } from '../../../web/i18n/reader';
import { addressOf } from '../../../web/ui/address';
import { Field } from '../../../web/ui/field';
import { Form, isBack } from '../../../web/ui/form';
import { Alert, Chip, Money } from '../../../web/ui/parts';
import { Picture } from '../../../web/ui/picture';
import type { ShopWindow, StorefrontProduct, StorefrontQuery } from '../../catalogue/storefront/public';
import { Policies, shopOf, ShopWays } from './ways.view';
import { shopTexts } from './shop.texts';

type Product = StorefrontProduct;
type Variant = Product['variants'][number];

export interface Shelves {
  readonly shop: ShopWindow;
  readonly listed: ListedPage<Product>;
  readonly query: StorefrontQuery;
}
export interface OnSale {
  readonly shop: ShopWindow;
  readonly product: Product;
}

/** Fewer are told. */
const FEW = 5;

/** What it costs, in words. */
export const priceOf = ({ price_min, price_max }: Product, t: Reader): string =>
  price_min === price_max ? t.money(price_min) : shopTexts(t).from({ price: t.money(price_min) });

const Price = ({ product, t }: { readonly product: Product; readonly t: Reader }) =>
  product.price_min === product.price_max ? <Money amount={product.price_min} /> : <span>{priceOf(product, t)}</span>;

/** What a picture takes of the width of the window, and a little less: nobody sees that on a phone, and it comes sooner. */
const [CARD, WHOLE] = ['(min-width: 560px) 150px, 40vw', '(min-width: 560px) 528px, 80vw'];
/** Those that are seen before anybody scrolls. */
const FIRST = 2;

interface CardParts extends OnSale {
  readonly isFirst: boolean;
  readonly t: Reader;
}

const Card = ({ shop, product, isFirst, t }: CardParts): JSX.Element => {
  const { images, name, slug, in_stock } = product;
  const [image] = images;
  return (
    <li>
      <a class="shop-card" href={`${shopOf(shop)}/products/${encodeURIComponent(slug)}`}>
        <span class="shop-picture">
          {image === undefined ? null : (
            <Picture class="picture" url={image.url} isFirst={isFirst} sizes={CARD} width={320} height={320} />
          )}
        </span>
        <bdi>{name}</bdi>
        <Price product={product} t={t} />
        {in_stock ? null : <Chip tone="plain">{shopTexts(t).soldOut}</Chip>}
      </a>
    </li>
  );
};

const Cards = ({ shop, listed, t }: Shelves & { readonly t: Reader }): JSX.Element => (
  <ul class="shop-cards">
    {listed.rows.map((product, at) => (
      <Card {...{ shop, product, t }} isFirst={at < FIRST} />
    ))}
  </ul>
);

const Announced = ({ shop, t }: { readonly shop: ShopWindow; readonly t: Reader }): JSX.Element => (
  <>
    {shop.status === 'closed' ? (
      <p class="alert bad">
        {shopTexts(t).closed} <bdi>{shop.status_message}</bdi>
      </p>
    ) : null}
    {shop.announcement === '' ? null : (
      <p class="alert info" dir="auto">
        {shop.announcement}
      </p>
    )}
  </>
);

const Search = ({ shop, query, t }: Omit<Shelves, 'listed'> & { readonly t: Reader }): JSX.Element => {
  const say = shopTexts(t);
  const { q = '', sort = '-created_at', category } = query;
  const sorts = [
    ['-created_at', say.sorts.newest],
    ['price', say.sorts.cheapest],
    ['-price', say.sorts.dearest],
    ['name', say.sorts.name],
  ] as const;
  return (
    <form class="shop-search" action={`${shopOf(shop)}/products`} role="search">
      <input
        class="shop-input"
        type="search"
        name="q"
        value={q}
        aria-label={say.search}
        placeholder={say.search}
        maxLength={200}
      />
      <select class="shop-input" name="sort" aria-label={say.sort}>
        {sorts.map(([value, text]) => (
          <option value={value} selected={value === sort}>
            {text}
          </option>
        ))}
      </select>
      {category === undefined ? null : <input type="hidden" name="category" value={category} />}
      <button class="button button-main">{say.find}</button>
    </form>
  );
};

/** The first page of a shop: what it says of itself, and what is new. */
export const ShopHome = ({ data, t }: BuyerShown<Shelves>): JSX.Element => {
  const { shop, listed } = data;
  const say = shopTexts(t);
  return (
    <>
      <h1 dir="auto">{shop.name}</h1>
      <Announced shop={shop} t={t} />
      {shop.description === '' ? null : (
        <p class="prose" dir="auto">
          {shop.description}
        </p>
      )}
      <Search {...data} t={t} />
      {listed.rows.length === 0 ? <p class="panel">{say.none}</p> : <h2>{say.newest}</h2>}
      <Cards {...data} t={t} />
      <ShopWays shop={shop} t={t} />
      <Policies shop={shop} t={t} />
    </>
  );
};

const Pages = ({ shop, listed, query, t }: Shelves & { readonly t: Reader }): JSX.Element => {
  const { current_page: page, last_page: last, from, to, total } = pageMeta(listed);
  const path = `${shopOf(shop)}/products`;
  const at = (number: number): string => addressOf({ path, query }, { page: number === 1 ? undefined : number });
  return (
    <nav class="shop-ways" aria-label={t.list.pages}>
      {page > 1 ? (
        <a class="link" rel="prev" href={at(page - 1)}>
          {t.list.previous}
        </a>
      ) : null}
      <small>{t.list.of({ from: t.count(from ?? 0), to: t.count(to ?? 0), total: t.count(total) })}</small>
      {page < last ? (
        <a class="link" rel="next" href={at(page + 1)}>
          {t.list.next}
        </a>
      ) : null}
    </nav>
  );
};

export const ProductList = ({ data, t }: BuyerShown<Shelves>): JSX.Element => {
  const { shop, listed } = data;
  const say = shopTexts(t);
  return (
    <>
      <h1>{say.all}</h1>
      <Announced shop={shop} t={t} />
      <Search {...data} t={t} />
      {listed.rows.length === 0 ? <p class="panel">{say.nothing}</p> : <Cards {...data} t={t} />}
      {listed.rows.length === 0 ? null : <Pages {...data} t={t} />}
      <ShopWays shop={shop} t={t} />
    </>
  );
};

const nameOf = (product: Product, { option_values, sku }: Variant): string =>
  Object.values(option_values as Readonly<Record<string, string>>).join(', ') ||
  (product.variants.length > 1 ? sku : product.name);

/** Whether there is some, and how many where they are few. */
const Stock = ({ variant: { in_stock, available }, t }: { readonly variant: Variant; readonly t: Reader }) => {
  const say = shopTexts(t);
  if (!in_stock) return <Chip tone="plain">{say.soldOut}</Chip>;
  if (available === null || available >= FEW) return null;
  return (
    <span>
      <Chip tone="wait">{say.left({ count: t.count(available) })}</Chip>
    </span>
  );
};

interface ChoiceParts {
  readonly product: Product;
  readonly variant: Variant;
  readonly isFirst: boolean;
  readonly t: Reader;
}

const Choice = ({ product, variant, isFirst, t }: ChoiceParts): JSX.Element => (
  <label class="shop-choice">
    <input type="radio" name="variant_id" value={variant.id} disabled={!variant.in_stock} checked={isFirst} />
    <span>
      <bdi>{nameOf(product, variant)}</bdi> <Stock variant={variant} t={t} />
    </span>
    <Money amount={variant.price} />
  </label>
);

const Buy = ({ data: { shop, product }, form, t }: BuyerShown<OnSale>): JSX.Element => {
  const say = shopTexts(t);
  const first = product.variants.find(({ in_stock }) => in_stock);
  if (!first) return <p class="alert plain">{say.soldOut}</p>;
  return (
    <Form form={form} action={`${shopOf(shop)}/cart`}>
      {product.variants.length === 1 ? (
        <input type="hidden" name="variant_id" value={first.id} />
      ) : (
        <fieldset>
          <legend>{say.choose}</legend>
          <div class="shop-choices">
            {product.variants.map((variant) => (
              <Choice {...{ product, variant, t }} isFirst={variant === first} />
            ))}
          </div>
        </fieldset>
      )}
      {product.variants.length === 1 ? <Stock variant={first} t={t} /> : null}
      {first.tiers.map(({ min_qty, price }) => (
        <small>{say.tier({ count: t.count(min_qty), price: t.money(price) })}</small>
      ))}
      <Field {...{ form, name: 'qty', label: say.qty, value: 1, required: true }} inputMode="numeric" />
      <button class="button button-main">{say.buy}</button>
    </Form>
  );
};

export const ProductPage = (shown: BuyerShown<OnSale>): JSX.Element => {
  const { data, t } = shown;
  const { shop, product } = data;
  return (
    <>
      <h1 dir="auto">{product.name}</h1>
      <Announced shop={shop} t={t} />
      {product.images.slice(0, 8).map(({ url }, at) => (
        <Picture class="picture" url={url} isFirst={at === 0} sizes={WHOLE} width={640} height={640} />
      ))}
      <p class="amount">
        <Price product={product} t={t} />
      </p>
      {shop.status === 'closed' ? null : <Buy {...shown} />}
      {product.description === '' ? null : (
        <p class="panel prose" dir="auto">
          {product.description}
        </p>
      )}
      <ShopWays shop={shop} t={t} />
    </>
  );
};

/** A cart that holds nothing, or that something could not be put into; one that holds something is its checkout. */
export const EmptyCart = ({ data: { shop }, form, t }: BuyerShown<{ readonly shop: ShopWindow }>): JSX.Element => {
  const say = shopTexts(t);
  return (
    <>
      <h1>{say.cart}</h1>
      <div class="panel">
        {isBack(form) ? <Alert text={form.alert ?? Object.values(form.errors).join(' ')} /> : <p>{say.emptyCart}</p>}
        <a class="button button-main" href={`${shopOf(shop)}/products`}>
          {say.all}
        </a>
      </div>
    </>
  );
};
