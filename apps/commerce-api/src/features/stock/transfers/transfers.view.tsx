import type { ListedPage } from '@platform/data';
import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { FormState, Shown } from '../../../web/page.types';
import { Field, Select } from '../../../web/ui/field';
import { Adder, Form, SaveBar } from '../../../web/ui/form';
import { List } from '../../../web/ui/list';
import { Chip, Empty, Moment, Notice, Section, type Tone } from '../../../web/ui/parts';
import type { Column } from '../../../web/ui/table';
import { Picker, type Picking } from '../../sales/picking/public';
import type { Transfer, TransfersQuery } from './transfers.dto';
import { transferTexts } from './transfers.texts';

type Places = readonly { readonly id: string; readonly name: string }[];

interface Data extends ListedPage<Transfer> {
  readonly warehouses: Places;
  readonly picking: Picking;
  /** While it is taken in. */
  readonly one: { readonly transfer: Transfer; readonly names: readonly (string | undefined)[] } | undefined;
}
type All = Shown<Data, TransfersQuery>;

const TONES: Readonly<Record<Transfer['status'], Tone>> = {
  ...{ draft: 'plain', in_transit: 'info', received: 'good', cancelled: 'plain' },
};

const NewForm = ({ form, t, data: { warehouses, picking } }: All): JSX.Element => {
  const say = transferTexts(t);
  const of = 'create';
  if (warehouses.length < 2) return <Notice text={say.oneOnly} />;
  const options = warehouses.map(({ id, name }) => [id, name] as const);
  return (
    <Form form={form} action="/transfers" name={of}>
      <Picker {...{ form, t, of, list: 'lines', picking }} />
      <fieldset class="form-two">
        <legend>{say.create}</legend>
        <Select {...{ form, of, name: 'from_id', label: say.from, options }} />
        <Select {...{ form, of, name: 'to_id', label: say.to, options, value: options[1]?.[0] }} />
      </fieldset>
      <SaveBar text={say.send} />
    </Form>
  );
};

interface OneParts {
  readonly form: FormState;
  readonly t: Reader;
  readonly one: NonNullable<Data['one']>;
}

const ReceiveForm = ({ form, t, one: { transfer, names } }: OneParts): JSX.Element => {
  const say = transferTexts(t);
  const of = 'receive';
  return (
    <Section title={say.receive}>
      <Form form={form} action="/transfers" name={of}>
        <input type="hidden" name="id" value={transfer.id} />
        <ul class="rows desk-lines panel">
          {transfer.lines.map(({ variant_id, qty }, at) => (
            <li>
              <input type="hidden" name={`lines[${at}][variant_id]`} value={variant_id} />
              <Field
                {...{ form, of, name: `lines[${at}][received]`, label: names[at] ?? say.gone, inputMode: 'numeric' }}
                {...{ hint: say.sent({ count: t.count(qty) }), value: qty, maxLength: 6 }}
              />
            </li>
          ))}
        </ul>
        <SaveBar text={say.take}>
          <a class="button" href="/transfers">
            {t.form.cancel}
          </a>
        </SaveBar>
      </Form>
    </Section>
  );
};

const columnsFor = (t: Reader, places: Places): readonly Column<Transfer>[] => {
  const say = transferTexts(t);
  const nameOf = (id: string): string => places.find((place) => place.id === id)?.name ?? '–';
  return [
    { title: say.at, main: true, cell: ({ created_at: at }) => <Moment at={at} brief /> },
    {
      ...{ title: say.state, plain: true },
      cell: ({ id, status }) => (
        <>
          <Chip tone={TONES[status]}>{say.states[status]}</Chip>{' '}
          {status === 'in_transit' ? (
            <a class="link" href={`/transfers?id=${id}`}>
              {say.receive}
            </a>
          ) : null}
        </>
      ),
    },
    { title: say.from, cell: ({ from_id: id }) => nameOf(id) },
    { title: say.to, cell: ({ to_id: id }) => nameOf(id) },
    {
      ...{ title: say.goods, number: true },
      cell: ({ lines }) => say.pieces({ count: t.count(lines.reduce((sum, { qty }) => sum + qty, 0)) }),
    },
  ];
};

export const TransferList = ({ data, t, query }: All): JSX.Element => {
  const say = transferTexts(t);
  return (
    <List
      {...{ path: '/transfers', query, usualSort: '-created_at', caption: t.nav.places.transfers, listed: data }}
      columns={columnsFor(t, data.warehouses)}
      views={[
        { text: t.list.all, set: {} },
        ...(['in_transit', 'received'] as const).map((status) => ({ text: say.states[status], set: { status } })),
      ]}
      empty={<Empty text={say.none} />}
    />
  );
};

export const TransfersView = (shown: All): JSX.Element => {
  const { data, form, t } = shown;
  const say = transferTexts(t);
  const { one } = data;
  return (
    <>
      {one?.transfer.status === 'in_transit' ? (
        <ReceiveForm {...{ form, t, one }} />
      ) : (
        <Adder title={say.create} isOpen={form.action === 'create'}>
          <NewForm {...shown} />
        </Adder>
      )}
      {form.action === 'receive' && form.alert !== undefined ? <Notice text={form.alert} /> : null}
      <TransferList {...shown} />
    </>
  );
};
