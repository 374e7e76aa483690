import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { FormState } from '../../../web/page.types';
import { seenOf } from '../../../web/seen';
import { Check, Field, FileField, MoneyField, Select, TextArea } from '../../../web/ui/field';
import { Form, SaveBar } from '../../../web/ui/form';
import { productStatuses, productTexts } from '../../catalogue/products/public';
import { UploadProgress } from '../../../web/ui/upload';
import { FILE_LIMIT } from '../../media/uploads/public';
import type { DigitalFile } from '../files/public';
import type { DeliveryTerms, DigitalProduct } from './goods.dto';
import { editableOf } from './goods.service';
import { goodsTexts } from './goods.texts';

interface Parts {
  readonly form: FormState;
  readonly t: Reader;
  /** Which form of the page it is, where it has several. */
  readonly of?: string;
}
interface OfProduct extends Parts {
  readonly product: DigitalProduct;
}

const pathOf = ({ id }: DigitalProduct): string => `/digital-products/${id}`;

const Goods = ({ form, t, of, product }: Parts & { readonly product?: DigitalProduct }): JSX.Element => {
  const say = productTexts(t);
  return (
    <>
      <Field {...{ form, of, name: 'name', label: say.name, maxLength: 150, required: true }} value={product?.name} />
      <TextArea
        {...{ form, of, name: 'description', label: say.description, hint: say.descriptionHint }}
        value={product?.description}
      />
    </>
  );
};

/** On which terms it is handed over. */
const Delivery = ({ form, t, of, terms }: Parts & { readonly terms?: DeliveryTerms }): JSX.Element => {
  const say = goodsTexts(t);
  return (
    <fieldset class="form-two">
      <legend>{say.delivery}</legend>
      <Field
        {...{ form, of, name: 'delivery[max_downloads]', label: say.times, hint: say.timesHint, inputMode: 'numeric' }}
        value={terms?.max_downloads}
      />
      <Field
        {...{ form, of, name: 'delivery[valid_days]', label: say.days, hint: say.daysHint, inputMode: 'numeric' }}
        value={terms?.valid_days}
      />
      <Check
        {...{ form, of, name: 'delivery[needs_key]', label: say.needsKey, hint: say.needsKeyHint }}
        value={terms?.needs_key}
      />
    </fieldset>
  );
};

export const NewForm = ({ form, t }: Parts): JSX.Element => {
  const say = productTexts(t);
  return (
    <Form form={form} action="/digital-products">
      <fieldset>
        <legend>{goodsTexts(t).create}</legend>
        <Goods form={form} t={t} />
        <MoneyField {...{ form, name: 'price', label: say.price, required: true }} />
      </fieldset>
      <Delivery form={form} t={t} />
      <SaveBar text={say.savePublished} name="status" value="active">
        <button class="button" name="status" value="draft">
          {say.saveDraft}
        </button>
      </SaveBar>
    </Form>
  );
};

/** An archived product stays so unless somebody says otherwise. */
const statesFor = ({ status }: DigitalProduct) =>
  productStatuses.filter((each) => each !== 'archived' || status === 'archived');

export const ChangeForm = ({ form, t, product }: OfProduct): JSX.Element => {
  const say = productTexts(t);
  const of = 'save';
  return (
    <Form form={form} action={pathOf(product)} name={of}>
      <input type="hidden" name="seen" value={seenOf(editableOf(product))} />
      <fieldset>
        <legend>{say.goods}</legend>
        <Goods {...{ form, t, of, product }} />
        <Select
          {...{ form, of, name: 'status', label: say.status, value: product.status }}
          options={statesFor(product).map((status) => [status, say.states[status]])}
        />
      </fieldset>
      <Delivery {...{ form, t, of, terms: product.delivery }} />
      <p class="hint">{goodsTexts(t).deliveryHint}</p>
      <SaveBar text={say.save} />
    </Form>
  );
};

export const FileForm = ({ form, t, product }: OfProduct): JSX.Element => {
  const say = goodsTexts(t);
  const accept = '.pdf,.zip,.gz,.txt,.epub,image/*,audio/*,video/*';
  return (
    <Form form={form} action={pathOf(product)} name="file" isUpload>
      <fieldset>
        <legend>{say.file}</legend>
        <FileField {...{ form, of: 'file', label: say.file, hint: say.fileHint, accept, required: true }} />
        <UploadProgress most={FILE_LIMIT} />
        <div class="row-actions">
          <button class="button">{say.upload}</button>
        </div>
      </fieldset>
    </Form>
  );
};

export const RemoveForm = ({ form, t, product, file }: OfProduct & { readonly file: DigitalFile }): JSX.Element => {
  const say = goodsTexts(t);
  return (
    <Form form={form} action={pathOf(product)} name={`remove.${file.id}`}>
      <input type="hidden" name="file_id" value={file.id} />
      <button class="button button-danger" aria-label={say.removeNamed({ name: file.media.name })}>
        {say.remove}
      </button>
    </Form>
  );
};

export const KeysForm = ({ form, t, product }: OfProduct): JSX.Element => {
  const say = goodsTexts(t);
  const of = 'keys';
  return (
    <Form form={form} action={`${pathOf(product)}/keys`} name={of} isUpload>
      <TextArea {...{ form, of, name: 'keys', label: say.addKeys, hint: say.keysHint }} />
      <FileField {...{ form, of, label: say.keysFile, hint: say.keysFileHint, accept: 'text/plain,.txt,.csv' }} />
      <div class="row-actions">
        <button class="button">{say.addKeys}</button>
      </div>
    </Form>
  );
};

export const ArchiveForm = ({ form, t, product }: OfProduct): JSX.Element => {
  const say = goodsTexts(t);
  return (
    <Form form={form} action={pathOf(product)} name="archive">
      <p class="hint">{say.archiveHint}</p>
      <div class="row-actions">
        <button class="button button-danger">{say.archive}</button>
      </div>
    </Form>
  );
};
