import type { ListedPage } from '@platform/data';
import { pageMeta } from '@platform/http';
import type { JSX } from 'preact';
import type { BuyerShown } from '../../../web/buyer.page';
import type { Reader } from '../../../web/i18n/reader';
import { addressOf } from '../../../web/ui/address';
import { isBack } from '../../../web/ui/form';
import { Icon } from '../../../web/ui/icon';
import { Alert, Chip } from '../../../web/ui/parts';
import { Picture } from '../../../web/ui/picture';
import type { ShopWindow, StorefrontProduct, StorefrontQuery, Ways } from '../../catalogue/storefront/public';
import { Price, type OnSale } from './product.view';
import { Announced, Policies, shopOf, ShopWays } from './ways.view';
import { shopTexts } from './shop.texts';

type Product = StorefrontProduct;

export interface Shelves {
  readonly shop: ShopWindow;
  readonly listed: ListedPage<Product>;
  readonly ways: Ways;
  readonly query: StorefrontQuery;
}
/** What a picture takes of the width of the window, and a little less: nobody sees that on a phone, and it comes sooner. */
const CARD = '(min-width: 560px) 150px, 40vw';
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
          {image === undefined ? (
            <Icon name="photo" />
          ) : (
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

/** What a list of products is called. */
export const shelfName = ({ ways: { here } }: Shelves, t: Reader): string => here?.name ?? shopTexts(t).all;

/** Ways to a part of what there is, and back. */
const Categories = ({ shop, ways: { here, above, near }, t }: Shelves & { readonly t: Reader }): JSX.Element | null => {
  if (near.length === 0 && !here) return null;
  const say = shopTexts(t);
  const path = `${shopOf(shop)}/products`;
  return (
    <nav class="shop-parts" aria-label={say.categories}>
      {here ? (
        <a class="button" href={path}>
          {say.all}
        </a>
      ) : null}
      {[...(above ? [above] : []), ...near].map(({ name, slug }) => (
        <a
          class="button"
          href={`${path}?category=${encodeURIComponent(slug)}`}
          aria-current={slug === here?.slug ? 'true' : undefined}
        >
          <bdi>{name}</bdi>
        </a>
      ))}
    </nav>
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
      <Categories {...data} t={t} />
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
      <h1 dir="auto">{shelfName(data, t)}</h1>
      <Announced shop={shop} t={t} />
      <Search {...data} t={t} />
      <Categories {...data} t={t} />
      {listed.rows.length === 0 ? <p class="panel">{say.nothing}</p> : <Cards {...data} t={t} />}
      {listed.rows.length === 0 ? null : <Pages {...data} t={t} />}
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
