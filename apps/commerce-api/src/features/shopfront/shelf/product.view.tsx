import type { JSX } from 'preact';
import type { BuyerShown } from '../../../web/buyer.page';
import type { Reader } from '../../../web/i18n/reader';
import { Field } from '../../../web/ui/field';
import { Form } from '../../../web/ui/form';
import { Chip, Money } from '../../../web/ui/parts';
import { Picture } from '../../../web/ui/picture';
import type { ShopWindow, StorefrontProduct } from '../../catalogue/storefront/public';
import { optionWords } from '../../catalogue/variants/public';
import { shopTexts } from './shop.texts';
import { Announced, shopOf, ShopWays } from './ways.view';

type Product = StorefrontProduct;
type Variant = Product['variants'][number];

export interface OnSale {
  readonly shop: ShopWindow;
  readonly product: Product;
}

/** Fewer are told. */
const FEW = 5;

/** What a picture takes of the width of the window, and a little less: nobody sees that on a phone, and it comes sooner. */
const WHOLE = '(min-width: 560px) 528px, 80vw';

/** What it costs, in words. */
export const priceOf = ({ price_min, price_max }: Product, t: Reader): string =>
  price_min === price_max ? t.money(price_min) : shopTexts(t).from({ price: t.money(price_min) });

export const Price = ({ product, t }: { readonly product: Product; readonly t: Reader }) =>
  product.price_min === product.price_max ? <Money amount={product.price_min} /> : <span>{priceOf(product, t)}</span>;

const nameOf = (product: Product, variant: Variant): string =>
  optionWords(product.options, variant).join(', ') || (product.variants.length > 1 ? variant.sku : product.name);

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

/** One beside the other: the price is not to be looked for below eight of them. */
const Pictures = ({ product, t }: { readonly product: Product; readonly t: Reader }): JSX.Element | null => {
  const images = product.images.slice(0, 8);
  if (images.length === 0) return null;
  return (
    <div
      class="shop-gallery"
      role="group"
      aria-label={shopTexts(t).pictures}
      tabIndex={images.length > 1 ? 0 : undefined}
    >
      {images.map(({ url }, at) => (
        <Picture class="picture" url={url} isFirst={at === 0} sizes={WHOLE} width={640} height={640} />
      ))}
    </div>
  );
};

export const ProductPage = (shown: BuyerShown<OnSale>): JSX.Element => {
  const { data, t } = shown;
  const { shop, product } = data;
  return (
    <>
      <h1 dir="auto">{product.name}</h1>
      <Announced shop={shop} t={t} />
      <Pictures product={product} t={t} />
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
