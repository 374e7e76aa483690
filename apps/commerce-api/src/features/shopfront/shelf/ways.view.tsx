import type { JSX } from 'preact';
import type { BuyerShown } from '../../../web/buyer.page';
import type { Reader } from '../../../web/i18n/reader';
import type { ShopWindow } from '../../catalogue/storefront/public';
import { shopPagesOf, type Policy } from './policies';
import { shopTexts } from './shop.texts';

/** The first page of a shop. */
export const shopOf = ({ slug }: ShopWindow): string => `/s/${slug}`;

/** Where a visitor can go in a shop. */
export const ShopWays = ({ shop, t }: { readonly shop: ShopWindow; readonly t: Reader }): JSX.Element => {
  const say = shopTexts(t);
  return (
    <nav class="shop-ways" aria-label={shop.name}>
      <a class="link" href={shopOf(shop)}>
        {say.home}
      </a>
      <a class="link" href={`${shopOf(shop)}/products`}>
        {say.all}
      </a>
      <a class="link" href={`${shopOf(shop)}/cart`}>
        {say.cart}
      </a>
    </nav>
  );
};

/** What a shop says to whoever comes. */
export const Announced = ({ shop, t }: { readonly shop: ShopWindow; readonly t: Reader }): JSX.Element => (
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

/** What the shop says of itself and of its terms. */
export const Policies = ({ shop, t }: { readonly shop: ShopWindow; readonly t: Reader }): JSX.Element | null => {
  const pages = shopPagesOf(shop);
  if (pages.length === 0) return null;
  const say = shopTexts(t);
  return (
    <nav class="shop-ways" aria-label={say.more}>
      {pages.map(({ page }) => (
        <a class="link" href={`${shopOf(shop)}/pages/${page}`}>
          {say.policies[page]}
        </a>
      ))}
    </nav>
  );
};

export interface Said {
  readonly shop: ShopWindow;
  readonly page: Policy;
  readonly text: string;
}

/** A page of a shop on which it says something of itself. */
export const PolicyPage = ({ data: { shop, page, text }, t }: BuyerShown<Said>): JSX.Element => (
  <>
    <h1>{shopTexts(t).policies[page]}</h1>
    <p class="panel prose" dir="auto">
      {text}
    </p>
    <ShopWays shop={shop} t={t} />
    <Policies shop={shop} t={t} />
  </>
);
