import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { Shown } from '../../../web/page.types';
import { Form, isBack } from '../../../web/ui/form';
import { Money, Section } from '../../../web/ui/parts';
import { Way } from '../../../web/ui/reading';
import type { Movement } from '../../stock/levels/public';
import type { Variant } from '../variants/public';
import { ChangeForm, ChoicesForm, VariantForm, variantForm, type Choices } from './product.forms';
import type { Product } from './product.dto';
import { StatusChip, StockChip } from './products.view';
import { productTexts } from './products.texts';
import { StockForm, StockHistory, variantName } from './stock.forms';

export interface Detail {
  readonly product: Product;
  readonly choices: Choices;
  readonly warehouses: readonly { readonly id: string; readonly name: string }[];
  readonly movements: readonly Movement[];
}
type One = Shown<Detail>;

const VariantLine = ({
  variant,
  product,
  t,
}: Pick<Detail, 'product'> & { readonly variant: Variant; readonly t: Reader }): JSX.Element => {
  const { available, reserved, price, track_stock } = variant;
  return (
    <>
      <b>{variantName(product, variant)}</b>
      <Money amount={price} />
      <span>
        {track_stock ? <StockChip left={available} t={t} /> : null}{' '}
        {reserved > 0 ? <small>{productTexts(t).reserved({ count: t.count(reserved) })}</small> : null}
      </span>
    </>
  );
};

/** Opens to the form of its price, for who may change it. */
const VariantRow = ({ variant, data, form, t, viewer }: One & { readonly variant: Variant }): JSX.Element =>
  viewer.caller.abilities.has('product.write') ? (
    <details class="panel" open={isBack(form, variantForm(variant))}>
      <summary class="variant-row">
        <VariantLine variant={variant} product={data.product} t={t} />
      </summary>
      <VariantForm form={form} t={t} product={data.product} variant={variant} />
    </details>
  ) : (
    <div class="panel variant-row">
      <VariantLine variant={variant} product={data.product} t={t} />
    </div>
  );

/** How it comes in more kinds, as long as buyers choose one thing alone. */
const More = ({ data: { product }, form, t }: One): JSX.Element | null =>
  product.options.length > 1 || product.status === 'archived' ? null : (
    <details class="panel" open={isBack(form, 'choices')}>
      <summary class="link">{productTexts(t).addChoices}</summary>
      <ChoicesForm {...{ form, t, product }} />
    </details>
  );

/** What is done with the whole of it. */
const Others = ({ data: { product }, form, t }: One): JSX.Element => {
  const say = productTexts(t);
  return (
    <div class="row-actions">
      <Form form={form} action={`/products/${product.id}/duplicate`} name="duplicate">
        <button class="button">{say.duplicate}</button>
      </Form>
      {product.status === 'archived' ? null : (
        <Form form={form} action={`/products/${product.id}`} name="archive">
          <button class="button button-danger">{say.archiveProduct}</button>
          <p class="hint">{say.archiveHint}</p>
        </Form>
      )}
    </div>
  );
};

/** Whether it is in the shop, and how much of it there is; of what is not counted nothing is told. */
const Standing = ({ product, t }: { readonly product: Product; readonly t: Reader }): JSX.Element => (
  <p>
    <StatusChip status={product.status} t={t} />{' '}
    {product.variants.some(({ track_stock }) => track_stock) ? <StockChip left={product.available} t={t} /> : null}{' '}
    {product.category?.name}
  </p>
);

/** Where it is said how a digital product reaches its buyers. */
const HandedOver = ({ product: { kind, id }, t }: { readonly product: Product; readonly t: Reader }) =>
  kind === 'digital' ? (
    <p>
      <Way class="link" to={`/digital-products/${id}`}>
        {productTexts(t).handedOver}
      </Way>
    </p>
  ) : null;

/** The part of the page that shows its pictures. */
export type Pictures = (parts: Pick<One, 'form' | 't'> & { readonly product: Product }) => JSX.Element;

export const productView =
  (Pictures: Pictures) =>
  (shown: One): JSX.Element => {
    const { data, form, t, viewer } = shown;
    const { product, choices, warehouses, movements } = data;
    const say = productTexts(t);
    const { abilities } = viewer.caller;
    return (
      <>
        <Standing product={product} t={t} />
        <HandedOver product={product} t={t} />
        {abilities.has('product.write') ? (
          <ChangeForm {...{ form, t, choices, product }} />
        ) : (
          <p>{product.description}</p>
        )}
        {abilities.has('product.write') ? <Pictures {...{ form, t, product }} /> : null}
        <Section title={say.variants}>
          <ul class="rows">
            {product.variants.map((variant) => (
              <li>
                <VariantRow {...shown} variant={variant} />
              </li>
            ))}
          </ul>
          {abilities.has('product.write') ? <More {...shown} /> : null}
        </Section>
        {abilities.has('stock.write') ? <StockForm {...{ form, t, product, warehouses }} /> : null}
        <details class="panel">
          <summary class="link">{say.history}</summary>
          <StockHistory {...{ t, product, warehouses, movements }} />
        </details>
        {abilities.has('product.write') ? <Others {...shown} /> : null}
      </>
    );
  };
