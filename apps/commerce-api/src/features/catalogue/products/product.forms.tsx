import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { FormState, Shown } from '../../../web/page.types';
import { seenOf } from '../../../web/seen';
import { Field, MoneyField, Select, TextArea } from '../../../web/ui/field';
import { Form, SaveBar } from '../../../web/ui/form';
import { editableVariantOf, type Variant } from '../variants/public';
import type { Product } from './product.dto';
import { editableOf } from './product.rules';
import { productKinds } from './products.dto';
import { productTexts } from './products.texts';

export interface Choices {
  /** By their id, children under their parents. */
  readonly categories: readonly (readonly [id: string, name: string])[];
}

interface Parts {
  readonly form: FormState;
  readonly t: Reader;
  readonly choices: Choices;
}

interface OfProduct extends Parts {
  readonly product: Product;
}

/** What a product is, to its buyers. */
const Goods = ({ form, t, choices, of, product }: Parts & { readonly of?: string; readonly product?: Product }) => {
  const say = productTexts(t);
  const categories = [['', say.noCategory] as const, ...choices.categories];
  return (
    <>
      <Field {...{ form, of, name: 'name', label: say.name, maxLength: 150, required: true }} value={product?.name} />
      <TextArea
        {...{ form, of, name: 'description', label: say.description, hint: say.descriptionHint }}
        value={product?.description}
      />
      <Select
        {...{ form, of, name: 'category_id', label: say.category, options: categories }}
        value={product?.category?.id}
      />
    </>
  );
};

export const NewProductView = ({ form, t, data: choices }: Shown<Choices>): JSX.Element => {
  const say = productTexts(t);
  return (
    <Form form={form} action="/products">
      <fieldset>
        <legend>{say.goods}</legend>
        <Goods {...{ form, t, choices }} />
        <Select
          {...{ form, name: 'kind', label: say.kind }}
          options={productKinds.map((kind) => [kind, say.kinds[kind]])}
        />
      </fieldset>
      <fieldset class="form-two">
        <legend>{say.priceAndWeight}</legend>
        <MoneyField {...{ form, name: 'price', label: say.price, hint: say.priceHint, required: true }} />
        <Field {...{ form, name: 'weight_g', label: say.weight, hint: say.weightHint, inputMode: 'numeric' }} />
        <Field {...{ form, name: 'on_hand', label: say.opening, hint: say.openingHint, inputMode: 'numeric' }} />
      </fieldset>
      <fieldset class="form-two">
        <legend>{say.kindsOfIt}</legend>
        <Field {...{ form, name: 'option', label: say.option, hint: say.optionHint, maxLength: 40 }} />
        <Field {...{ form, name: 'choices', label: say.choices, hint: say.choicesHint }} />
      </fieldset>
      <SaveBar text={say.savePublished} name="status" value="active">
        <a class="button" href="/products">
          {t.form.cancel}
        </a>
        <button class="button" name="status" value="draft">
          {say.saveDraft}
        </button>
      </SaveBar>
    </Form>
  );
};

/** An archived product stays so unless somebody says otherwise. */
const statesFor = ({ status }: Product): Product['status'][] => [
  ...(['draft', 'active'] as const),
  ...(status === 'archived' ? [status] : []),
];

export const ChangeForm = ({ form, t, choices, product }: OfProduct): JSX.Element => {
  const say = productTexts(t);
  const of = 'save';
  return (
    <Form form={form} action={`/products/${product.id}`} name={of}>
      <input type="hidden" name="seen" value={seenOf(editableOf(product))} />
      <fieldset>
        <legend>{say.goods}</legend>
        <Goods {...{ form, t, choices, of, product }} />
      </fieldset>
      <fieldset class="form-two">
        <legend>{say.kinds[product.kind]}</legend>
        <Field
          {...{ form, of, name: 'weight_g', label: say.weight, hint: say.weightHint, inputMode: 'numeric' }}
          value={product.weight_g || null}
        />
        <Field
          {...{ form, of, name: 'slug', label: say.slug, hint: say.slugHint, required: true }}
          value={product.slug}
        />
        <Select
          {...{ form, of, name: 'status', label: say.status, value: product.status }}
          options={statesFor(product).map((status) => [status, say.states[status]])}
        />
      </fieldset>
      <SaveBar text={say.save} />
    </Form>
  );
};

interface OfVariant {
  readonly form: FormState;
  readonly t: Reader;
  readonly product: Product;
  readonly variant: Variant;
}

/** The form of one variant is named after it: each shows its own errors. */
export const variantForm = ({ id }: Pick<Variant, 'id'>): string => `variant.${id}`;

export const VariantForm = ({ form, t, product, variant }: OfVariant): JSX.Element => {
  const say = productTexts(t);
  const of = variantForm(variant);
  return (
    <Form form={form} action={`/products/${product.id}`} name={of}>
      <input type="hidden" name="variant_id" value={variant.id} />
      <input type="hidden" name="seen" value={seenOf(editableVariantOf(variant))} />
      <div class="form-two">
        <MoneyField {...{ form, of, name: 'price', label: say.price, required: true, value: variant.price }} />
        <MoneyField
          {...{ form, of, name: 'compare_at', label: say.compareAt, hint: say.compareAtHint }}
          value={variant.compare_at}
        />
        <Field {...{ form, of, name: 'sku', label: say.sku, maxLength: 64, required: true, value: variant.sku }} />
        <Field {...{ form, of, name: 'barcode', label: say.barcode, maxLength: 64, value: variant.barcode }} />
      </div>
      <div class="row-actions">
        <button class="button">{say.save}</button>
      </div>
    </Form>
  );
};

/** More choices: of the one kind that a product has, or of a kind that it is to have from now on. */
export const ChoicesForm = ({ form, t, product }: Omit<OfVariant, 'variant'>): JSX.Element => {
  const say = productTexts(t);
  const of = 'choices';
  const [known] = product.options;
  return (
    <Form form={form} action={`/products/${product.id}`} name={of}>
      {known ? (
        <input type="hidden" name="option" value={known.name} />
      ) : (
        <Field
          {...{ form, of, name: 'option', label: say.option, hint: say.laterHint, maxLength: 40, required: true }}
        />
      )}
      <Field
        {...{ form, of, name: 'choices', label: known?.name ?? say.choices, required: true }}
        hint={known ? say.choicesHint : say.firstHint}
      />
      <div class="row-actions">
        <button class="button">{say.addChoices}</button>
      </div>
    </Form>
  );
};
