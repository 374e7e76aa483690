import type { ListedPage } from '@platform/data';
import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { Shown } from '../../../web/page.types';
import { Icon } from '../../../web/ui/icon';
import { ImportLink } from '../../../web/ui/import.link';
import { List } from '../../../web/ui/list';
import { Chip, Empty, Money, Notice, type Tone } from '../../../web/ui/parts';
import { Thumb } from '../../../web/ui/picture';
import { Way } from '../../../web/ui/reading';
import type { Column } from '../../../web/ui/table';
import { productStatuses, type ProductRow, type ProductsQuery } from './products.dto';
import { productTexts } from './products.texts';

export interface Listed extends ListedPage<ProductRow> {
  /** Nothing has all words: these are the nearest. */
  readonly fuzzy: boolean;
}
type All = Shown<Listed, ProductsQuery>;
type Status = ProductRow['status'];

const TONES: Readonly<Record<Status, Tone>> = { active: 'good', draft: 'wait', archived: 'plain' };
/** Fewer than this are said in another tone. */
const FEW = 5;

export const StatusChip = ({ status, t }: { readonly status: Status; readonly t: Reader }): JSX.Element => (
  <Chip tone={TONES[status]}>{productTexts(t).states[status]}</Chip>
);

export const StockChip = ({ left, t }: { readonly left: number; readonly t: Reader }): JSX.Element => {
  const say = productTexts(t);
  if (left <= 0) return <Chip tone="bad">{say.none}</Chip>;
  return <Chip tone={left <= FEW ? 'wait' : 'plain'}>{say.left({ count: t.count(left) })}</Chip>;
};

const Prices = ({ row: { price_min: from, price_max: to }, t }: { readonly row: ProductRow; readonly t: Reader }) => {
  if (from === null || to === null) return <small>{productTexts(t).noPrice}</small>;
  return (
    <>
      <Money amount={from} />
      {to === from ? null : (
        <>
          –<Money amount={to} />
        </>
      )}
    </>
  );
};

const Named = ({ row: { id, name, image } }: { readonly row: ProductRow }) => (
  <a class="with-thumb" href={`/products/${id}`}>
    {image === null ? null : <Thumb url={image} />}
    {name}
  </a>
);

const columnsFor = (t: Reader): readonly Column<ProductRow>[] => {
  const say = productTexts(t);
  return [
    { title: say.name, main: true, sort: 'name', cell: (row) => <Named row={row} /> },
    { title: say.status, plain: true, cell: ({ status }) => <StatusChip status={status} t={t} /> },
    { title: say.category, plain: true, cell: ({ category }) => category?.name },
    {
      ...{ title: say.stock, plain: true, sort: 'available' },
      cell: ({ available: left, counted }) => (counted ? <StockChip {...{ left, t }} /> : null),
    },
    { title: say.price, number: true, sort: 'price', cell: (row) => <Prices row={row} t={t} /> },
  ];
};

/** What can be done with several: each button is one change of the form. */
const Changes = ({ t }: { readonly t: Reader }): JSX.Element => {
  const say = productTexts(t);
  const names = { active: say.publish, draft: say.unpublish, archived: say.archive };
  return (
    <>
      {(['active', 'draft', 'archived'] as const).map((status) => (
        <button class="button" name="set[status]" value={status}>
          {names[status]}
        </button>
      ))}
    </>
  );
};

export const ProductList = ({ data, query, t, form, viewer }: All): JSX.Element => {
  const say = productTexts(t);
  const states = productStatuses.map((status) => ({ text: say.states[status], set: { status } }));
  const pick = {
    ...{ form, action: '/products/bulk', children: <Changes t={t} /> },
    idOf: ({ id }: ProductRow) => id,
    nameOf: ({ name }: ProductRow) => name,
  };
  return (
    <List
      {...{ path: '/products', query, usualSort: '-created_at', caption: t.nav.places.products, listed: data }}
      columns={columnsFor(t)}
      search={say.search}
      views={[{ text: t.list.all, set: {} }, ...states, { text: say.lowStock, set: { low_stock: 'true' } }]}
      filteredBy={['category_id', 'kind', 'warehouse_id', 'price_min', 'price_max', 'skus']}
      bulk={viewer.caller.abilities.has('product.write') ? pick : undefined}
      notice={data.fuzzy ? <Notice text={say.nearest} /> : undefined}
      empty={
        <Empty text={say.empty}>
          <NewProduct t={t} abilities={viewer.caller.abilities} />
        </Empty>
      }
    />
  );
};

type Asking = { readonly t: Reader; readonly abilities: All['viewer']['caller']['abilities'] };

const NewProduct = ({ t, abilities }: Asking): JSX.Element | null =>
  abilities.has('product.write') ? (
    <a class="button button-main" href="/products/create">
      <Icon name="plus" />
      {productTexts(t).create}
    </a>
  ) : null;

/** Beside the heading of the list. */
export const ListTools = ({ t, viewer: { caller } }: All): JSX.Element => (
  <>
    <Way to="/products/export" class="button only-wide">
      <Icon name="file-export" />
      {productTexts(t).download}
    </Way>
    <ImportLink to="/products/import" may={caller.abilities.has('product.write')} />
    <NewProduct t={t} abilities={caller.abilities} />
  </>
);
