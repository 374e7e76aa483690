import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { FormState } from '../../../web/page.types';
import { Field, Select } from '../../../web/ui/field';
import { Form } from '../../../web/ui/form';
import { Empty, Moment } from '../../../web/ui/parts';
import { Table, type Column } from '../../../web/ui/table';
import type { Movement } from '../../stock/levels/public';
import { optionWords, type Variant } from '../variants/public';
import type { Product } from './product.dto';
import { stockReasons } from './product-stock';
import { productTexts } from './products.texts';

/** `Hitam, 42`; of a product without variants its SKU. */
export const variantName = ({ options }: Pick<Product, 'options'>, variant: Variant): string =>
  optionWords(options, variant).join(', ') || variant.sku;

interface StockParts {
  readonly form: FormState;
  readonly t: Reader;
  readonly product: Product;
  readonly warehouses: readonly { readonly id: string; readonly name: string }[];
}

/** What somebody has counted on a shelf. */
export const StockForm = ({ form, t, product, warehouses }: StockParts): JSX.Element => {
  const say = productTexts(t);
  const of = 'stock';
  return (
    <Form form={form} action={`/products/${product.id}/stock`} name={of}>
      <fieldset class="form-two">
        <legend>{say.stockChange}</legend>
        <Select
          {...{ form, of, name: 'variant_id', label: say.variant }}
          options={product.variants.map((variant) => [variant.id, variantName(product, variant)])}
        />
        <Select
          {...{ form, of, name: 'warehouse_id', label: say.warehouse }}
          options={warehouses.map(({ id, name }) => [id, name])}
        />
        <Field
          {...{ form, of, name: 'on_hand', label: say.counted, hint: say.countedHint }}
          {...{ inputMode: 'numeric', required: true }}
        />
        <Select
          {...{ form, of, name: 'reason', label: say.reason }}
          options={stockReasons.map((reason) => [reason, say.reasons[reason]])}
        />
        <Field {...{ form, of, name: 'note', label: say.note, hint: t.form.optional, maxLength: 200 }} />
      </fieldset>
      <div class="row-actions">
        <button class="button">{say.save}</button>
      </div>
    </Form>
  );
};

interface HistoryParts extends Pick<StockParts, 't' | 'product' | 'warehouses'> {
  readonly movements: readonly Movement[];
}

const signed = (t: Reader, pieces: number): string => `${pieces > 0 ? '+' : ''}${t.count(pieces)}`;

/** What reservations do to a level is none of its pieces coming or going. */
const piecesOf = ({ delta_on_hand: pieces, delta_reserved: reserved }: Movement): number => pieces || -reserved;

const historyColumns = ({ t, product, warehouses }: Omit<HistoryParts, 'movements'>): readonly Column<Movement>[] => {
  const say = productTexts(t);
  const variants = new Map(product.variants.map((variant) => [variant.id, variantName(product, variant)]));
  const places = new Map(warehouses.map(({ id, name }) => [id, name]));
  return [
    { title: say.reason, main: true, cell: ({ reason }) => say.reasons[reason] },
    { title: say.moved, cell: (movement) => signed(t, piecesOf(movement)) },
    { title: say.variant, cell: ({ variant_id: id }) => variants.get(id) ?? '–' },
    { title: say.warehouse, cell: ({ warehouse_id: id }) => places.get(id) ?? '–' },
    { title: say.at, cell: ({ at }) => <Moment at={at} brief /> },
    { title: say.note, cell: ({ note }) => note },
  ];
};

export const StockHistory = ({ movements, ...parts }: HistoryParts): JSX.Element => {
  const say = productTexts(parts.t);
  return movements.length === 0 ? (
    <Empty text={say.noHistory} />
  ) : (
    <Table caption={say.history} rows={movements} columns={historyColumns(parts)} />
  );
};
