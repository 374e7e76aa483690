import type { Feed, ListedPage } from '@platform/data';
import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { Shown } from '../../../web/page.types';
import { addressOf } from '../../../web/ui/address';
import { Adder, isBack } from '../../../web/ui/form';
import { List } from '../../../web/ui/list';
import { Chip, Empty, Money, Section, type Tone } from '../../../web/ui/parts';
import { Way } from '../../../web/ui/reading';
import { Facts, Table, type Column } from '../../../web/ui/table';
import { productStatuses, productTexts, StatusChip, StockChip } from '../../catalogue/products/public';
import { keyStates, type KeysQuery, type LicenseKey } from '../keys/public';
import type { DeliveryTerms, DigitalProduct, DigitalQuery, DigitalRow } from './goods.dto';
import { ArchiveForm, ChangeForm, FileForm, KeysForm, NewForm, RemoveForm } from './goods.forms';
import { goodsTexts } from './goods.texts';

export interface Good {
  readonly product: DigitalProduct;
  /** Undefined: not for this reader. */
  readonly keys: Feed<LicenseKey> | undefined;
}
type All = Shown<ListedPage<DigitalRow>, DigitalQuery>;
type One = Shown<Good, KeysQuery>;

const PATH = '/digital-products';
const mayWrite = ({ viewer }: Pick<All, 'viewer'>): boolean => viewer.caller.abilities.has('digital.write');

const termsOf = ({ max_downloads: times, valid_days: days }: DeliveryTerms, t: Reader): string =>
  goodsTexts(t).terms({ times: t.count(times), days: t.count(days) });

const columnsFor = (t: Reader): readonly Column<DigitalRow>[] => {
  const [say, product] = [goodsTexts(t), productTexts(t)];
  return [
    { title: product.name, main: true, sort: 'name', cell: ({ id, name }) => <a href={`${PATH}/${id}`}>{name}</a> },
    { title: product.status, plain: true, cell: ({ status }) => <StatusChip status={status} t={t} /> },
    { title: say.files, plain: true, cell: ({ files }) => say.fileCount({ count: t.count(files) }) },
    {
      ...{ title: say.keys, plain: true },
      cell: ({ delivery, available }) => (delivery.needs_key ? <StockChip left={available} t={t} /> : null),
    },
    {
      ...{ title: product.price, number: true, sort: 'price' },
      cell: ({ price_min: from }) => (from === null ? <small>{product.noPrice}</small> : <Money amount={from} />),
    },
  ];
};

export const GoodsList = ({ data, query, t }: All): JSX.Element => {
  const say = goodsTexts(t);
  const states = productStatuses.map((status) => ({ text: productTexts(t).states[status], set: { status } }));
  return (
    <List
      {...{ path: PATH, query, usualSort: '-created_at', caption: t.nav.places.digital, listed: data }}
      columns={columnsFor(t)}
      search={say.search}
      views={[{ text: t.list.all, set: {} }, ...states]}
      empty={<Empty text={say.none} />}
    />
  );
};

export const GoodsView = (shown: All): JSX.Element => {
  const { form, t } = shown;
  return (
    <>
      {mayWrite(shown) ? (
        <Adder title={goodsTexts(t).create} isOpen={isBack(form)}>
          <NewForm form={form} t={t} />
        </Adder>
      ) : null}
      <GoodsList {...shown} />
    </>
  );
};

const Files = ({ data: { product }, form, t, ...shown }: One): JSX.Element => {
  const say = goodsTexts(t);
  const { files } = product;
  return (
    <Section title={say.files}>
      {files.length === 0 ? (
        <Empty text={say.noFiles} />
      ) : (
        <ul class="panel lines">
          {files.map((file) => (
            <li>
              {file.media.url === null ? (
                <bdi>{file.media.name}</bdi>
              ) : (
                <a class="link" href={file.media.url}>
                  <bdi>{file.media.name}</bdi>
                </a>
              )}
              <small>{t.bytes(file.media.bytes)}</small>
              {mayWrite(shown) ? <RemoveForm {...{ form, t, product, file }} /> : null}
            </li>
          ))}
        </ul>
      )}
      {mayWrite(shown) ? <FileForm {...{ form, t, product }} /> : null}
    </Section>
  );
};

const TONES: Readonly<Record<LicenseKey['state'], Tone>> = {
  ...{ free: 'good', held: 'wait', assigned: 'info', revoked: 'plain' },
};

const keyColumns = (t: Reader): readonly Column<LicenseKey>[] => {
  const say = goodsTexts(t);
  return [
    { title: say.key, main: true, cell: ({ key }) => <bdi class="code">{key}</bdi> },
    { title: say.keyState, plain: true, cell: ({ state }) => <Chip tone={TONES[state]}>{say.keyStates[state]}</Chip> },
    {
      ...{ title: say.order, plain: true },
      cell: ({ order }) => order && <Way to={`/orders/${order.id}`}>{order.number}</Way>,
    },
  ];
};

/** The keys of one state, or of all, newest first. */
const KeyList = ({ product, keys, query, t }: Pick<One, 'query' | 't'> & Required<Good>): JSX.Element => {
  const say = goodsTexts(t);
  const here = { path: `${PATH}/${product.id}`, query: { state: query.state } };
  const views = [undefined, ...keyStates];
  return (
    <div class="list">
      <nav class="views" aria-label={t.list.views}>
        {views.map((state) => (
          <a href={`${addressOf(here, { state })}#keys`} aria-current={state === query.state ? 'true' : undefined}>
            {state === undefined ? t.list.all : `${say.keyStates[state]} ${t.count(product.keys[state])}`}
          </a>
        ))}
      </nav>
      {!keys || keys.rows.length === 0 ? (
        <p class="panel">{say.noKeys}</p>
      ) : (
        <Table caption={say.keys} rows={keys.rows} columns={keyColumns(t)} />
      )}
      <p class="row-actions">
        {query.cursor === undefined ? null : (
          <a class="button" href={`${addressOf(here, {})}#keys`}>
            {say.newest}
          </a>
        )}
        {keys?.nextCursor ? (
          <a class="button" href={`${addressOf(here, { cursor: keys.nextCursor })}#keys`}>
            {say.older}
          </a>
        ) : null}
      </p>
    </div>
  );
};

/** Those that there are, and a form for more. */
const Keys = ({ data: { product, keys }, query, form, t }: One): JSX.Element => (
  <details
    class="panel"
    id="keys"
    open={product.delivery.needs_key || isBack(form, 'keys') || query.state !== undefined}
  >
    <summary class="link">{goodsTexts(t).keys}</summary>
    <KeysForm {...{ form, t, product }} />
    <KeyList {...{ product, keys, query, t }} />
  </details>
);

export const GoodView = (shown: One): JSX.Element => {
  const { data, form, t } = shown;
  const { product } = data;
  const say = goodsTexts(t);
  return (
    <>
      <p>
        <StatusChip status={product.status} t={t} />{' '}
        {product.delivery.needs_key ? <StockChip left={product.available} t={t} /> : null}{' '}
        {termsOf(product.delivery, t)}
      </p>
      <p>
        <Way class="link" to={`/products/${product.id}`}>
          {say.price}
        </Way>
      </p>
      {mayWrite(shown) ? (
        <ChangeForm {...{ form, t, product }} />
      ) : (
        <Facts facts={[[productTexts(t).description, product.description || '-']]} />
      )}
      <Files {...shown} />
      {data.keys ? <Keys {...shown} /> : null}
      {mayWrite(shown) && product.status !== 'archived' ? <ArchiveForm {...{ form, t, product }} /> : null}
    </>
  );
};
