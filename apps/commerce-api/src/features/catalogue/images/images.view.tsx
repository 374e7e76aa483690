import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { FormState } from '../../../web/page.types';
import { FileField } from '../../../web/ui/field';
import { Form, isBack } from '../../../web/ui/form';
import { Alert, Chip, Empty, Section } from '../../../web/ui/parts';
import { Thumb } from '../../../web/ui/picture';
import { UploadProgress } from '../../../web/ui/upload';
import { FILE_LIMIT } from '../../media/uploads/public';
import type { Product, ProductImage } from '../products/public';
import { imageTexts } from './images.texts';

interface Parts {
  readonly form: FormState;
  readonly t: Reader;
  readonly product: Pick<Product, 'id' | 'images'>;
}

const ADD = 'image_add';

const AddForm = ({ form, t, product }: Parts): JSX.Element => {
  const say = imageTexts(t);
  return (
    <Form form={form} action={`/products/${product.id}`} name={ADD} isUpload>
      <FileField
        {...{ form, of: ADD, label: say.file, hint: say.hint, required: true }}
        accept="image/jpeg,image/png,image/webp,image/gif"
      />
      <UploadProgress most={FILE_LIMIT} />
      <div class="row-actions">
        <button class="button">{say.add}</button>
      </div>
    </Form>
  );
};

interface ImageParts extends Parts {
  readonly image: ProductImage;
  readonly at: number;
}

const One = ({ form, t, product, image, at }: ImageParts): JSX.Element => {
  const say = imageTexts(t);
  const which = { at: t.count(at + 1) };
  const step = (name: 'image_main' | 'image_remove', text: string, label: string) => (
    <Form form={{ ...form, action: undefined }} action={`/products/${product.id}`} name={`${name}.${image.id}`}>
      <input type="hidden" name="image_id" value={image.id} />
      <button class={name === 'image_remove' ? 'button button-danger' : 'button'} aria-label={label}>
        {text}
      </button>
    </Form>
  );
  return (
    <li class="panel image-row">
      <Thumb url={image.url} />
      {at === 0 ? <Chip tone="info">{say.main}</Chip> : step('image_main', say.makeMain, say.makeMainNamed(which))}
      {step('image_remove', say.remove, say.removeNamed(which))}
    </li>
  );
};

/** The pictures of a product: the first one is shown on the shelves of the shop. */
export const ImagesSection = (parts: Parts): JSX.Element => {
  const { form, t, product } = parts;
  const say = imageTexts(t);
  const isGone = form.action?.startsWith('image_') && !isBack(form, ADD);
  return (
    <Section title={say.pictures}>
      {isGone ? <Alert text={form.alert ?? Object.values(form.errors)[0]} /> : null}
      {product.images.length === 0 ? (
        <Empty text={say.none} />
      ) : (
        <ul class="rows">
          {product.images.map((image, at) => (
            <One {...{ ...parts, image, at }} />
          ))}
        </ul>
      )}
      <AddForm {...parts} />
    </Section>
  );
};
