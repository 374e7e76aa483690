import type { ListedPage } from '@platform/data';
import type { JSX } from 'preact';
import type { Shown } from '../../../web/page.types';
import { Field } from '../../../web/ui/field';
import { Form, SaveBar } from '../../../web/ui/form';
import { Icon } from '../../../web/ui/icon';
import { Pager } from '../../../web/ui/pager';
import { Empty } from '../../../web/ui/parts';
import { countedIn } from './count.typed';
import type { Warehouse, WarehouseStock, WarehouseStockQuery } from './warehouses.dto';
import { warehouseTexts } from './warehouses.texts';

type Sheet = Shown<ListedPage<WarehouseStock> & { readonly warehouse: Warehouse }, WarehouseStockQuery>;

/** The rows of a sheet: those that came back filled in first, as what is said of them counts. */
const rowsOf = ({ data, form }: Sheet) => {
  const typed = countedIn(form.fields);
  const filled = new Map(typed.map(({ variant_id, counted }) => [variant_id, counted]));
  const rows = [...data.rows].sort(
    (one, other) => Number(filled.has(other.variant_id)) - Number(filled.has(one.variant_id)),
  );
  return rows.map((row) => ({ row, counted: filled.get(row.variant_id) ?? '' }));
};

const Row = ({
  shown,
  row,
  counted,
  at,
}: {
  readonly shown: Sheet;
  readonly row: WarehouseStock;
  readonly counted: string;
  readonly at: number;
}) => {
  const { form, t } = shown;
  const say = warehouseTexts(t);
  const name = `lines[${at}][counted]`;
  const facts = [`${say.onHand} ${t.count(row.on_hand)}`, `${say.reserved} ${t.count(row.reserved)}`];
  return (
    <li>
      <input type="hidden" name={`lines[${at}][variant_id]`} value={row.variant_id} />
      <Field
        {...{ form: { ...form, fields: { [name]: counted } }, name, label: `${row.name} (${row.sku})` }}
        {...{ inputMode: 'numeric', maxLength: 9, hint: facts.join(' · ') }}
      />
    </li>
  );
};

const Search = ({ query, t, params }: Sheet): JSX.Element => {
  const say = warehouseTexts(t);
  const path = `/warehouses/${params.id}/stock`;
  return (
    <>
      <form class="search" role="search" action={path}>
        <div class="input">
          <Icon name="search" />
          <input
            type="search"
            name="q"
            value={query.q}
            placeholder={say.search}
            aria-label={say.search}
            maxLength={200}
          />
        </div>
        <button class="button">{t.list.search}</button>
      </form>
      <nav class="views" aria-label={t.list.views}>
        <a href={path} aria-current={query.low === undefined ? 'true' : undefined}>
          {t.list.all}
        </a>
        <a href={`${path}?low=true`} aria-current={query.low ? 'true' : undefined}>
          {say.low}
        </a>
      </nav>
    </>
  );
};

export const CountView = (shown: Sheet): JSX.Element => {
  const { data, form, t, params, query } = shown;
  const say = warehouseTexts(t);
  const path = `/warehouses/${params.id}/stock`;
  return (
    <>
      <Search {...shown} />
      {data.rows.length === 0 ? (
        <Empty text={query.q === undefined && query.low === undefined ? say.nothing : t.list.nothingFound} />
      ) : (
        <>
          <Form form={form} action={path}>
            <section class="panel">
              <p class="hint">{say.countHint}</p>
              <ul class="rows desk-lines">
                {rowsOf(shown).map(({ row, counted }, at) => (
                  <Row {...{ shown, row, counted, at }} />
                ))}
              </ul>
              <Field {...{ form, name: 'note', label: say.note, hint: t.form.optional, maxLength: 200 }} />
            </section>
            <SaveBar text={say.saveCount} />
          </Form>
          <Pager list={{ path, query, usualSort: 'sku' }} listed={data} />
        </>
      )}
    </>
  );
};
