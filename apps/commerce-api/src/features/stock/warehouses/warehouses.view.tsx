import type { ListedPage } from '@platform/data';
import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { FormState, Shown } from '../../../web/page.types';
import { Field, TextArea } from '../../../web/ui/field';
import { Adder, Form, isBack, SaveBar } from '../../../web/ui/form';
import { List } from '../../../web/ui/list';
import { Alert, Chip, Empty, Section } from '../../../web/ui/parts';
import { Way } from '../../../web/ui/reading';
import type { Column } from '../../../web/ui/table';
import { seenOf } from '../../../web/seen';
import { editableOf } from './warehouses.sql';
import { warehouseStatuses, type Warehouse, type WarehousesQuery } from './warehouses.dto';
import { warehouseTexts } from './warehouses.texts';

type All = Shown<ListedPage<Warehouse> & { readonly one: Warehouse | undefined }, WarehousesQuery>;

interface Parts {
  readonly form: FormState;
  readonly t: Reader;
  readonly one?: Warehouse;
}

const PLACE = ['district', 'city', 'province', 'postcode'] as const;

const WarehouseForm = ({ form, t, one }: Parts): JSX.Element => {
  const say = warehouseTexts(t);
  const of = one ? 'save' : 'create';
  return (
    <Form form={form} action="/warehouses" name={of}>
      {one ? <input type="hidden" name="id" value={one.id} /> : null}
      {one ? <input type="hidden" name="seen" value={seenOf(editableOf(one))} /> : null}
      {one?.address?.area_id === undefined ? null : (
        <input type="hidden" name="address[area_id]" value={one.address.area_id} />
      )}
      <fieldset class="form-two">
        <legend>{say.place}</legend>
        <Field {...{ form, of, name: 'name', label: say.name, maxLength: 80, required: true, value: one?.name }} />
        <Field
          {...{ form, of, name: 'phone', label: say.phone, type: 'tel', inputMode: 'tel', required: true }}
          value={one?.phone}
        />
        <TextArea
          {...{ form, of, name: 'address[line]', label: say.line, rows: 2, required: true }}
          value={one?.address?.line}
        />
        {PLACE.map((part) => (
          <Field
            {...{ form, of, name: `address[${part}]`, label: say[part], maxLength: part === 'postcode' ? 10 : 100 }}
            value={one?.address?.[part]}
          />
        ))}
      </fieldset>
      <SaveBar text={say.save}>
        {one ? (
          <a class="button" href="/warehouses">
            {t.form.cancel}
          </a>
        ) : null}
      </SaveBar>
    </Form>
  );
};

const OneForm = ({ form, t, one, name }: Required<Parts> & { readonly name: 'default' | 'close' }): JSX.Element => {
  const say = warehouseTexts(t);
  return (
    <Form form={form} action="/warehouses" name={name}>
      <input type="hidden" name="id" value={one.id} />
      {name === 'close' ? <p class="hint">{say.closeHint}</p> : null}
      <div class="row-actions">
        <button class={name === 'close' ? 'button button-danger' : 'button'}>
          {name === 'close' ? say.close : say.makeDefault}
        </button>
      </div>
    </Form>
  );
};

const columnsFor = (t: Reader): readonly Column<Warehouse>[] => {
  const say = warehouseTexts(t);
  return [
    {
      ...{ title: say.name, main: true, sort: 'name' },
      cell: ({ id, name, status }) => (status === 'active' ? <a href={`/warehouses?id=${id}`}>{name}</a> : name),
    },
    {
      ...{ title: say.state, plain: true },
      cell: ({ status, is_default }) => (
        <span class="chips">
          {is_default ? <Chip tone="info">{say.main}</Chip> : null}
          <Chip tone={status === 'active' ? 'good' : 'plain'}>{say.states[status]}</Chip>
        </span>
      ),
    },
    { title: say.city, plain: true, cell: ({ address }) => address?.city ?? '' },
    {
      ...{ title: say.count, plain: true },
      cell: ({ id, status }) =>
        status === 'active' ? (
          <Way class="link" to={`/warehouses/${id}/stock`}>
            {say.count}
          </Way>
        ) : null,
    },
  ];
};

export const WarehouseList = ({ data, t, query }: All): JSX.Element => {
  const say = warehouseTexts(t);
  return (
    <List
      {...{ path: '/warehouses', query, usualSort: 'name', caption: t.nav.places.warehouses, listed: data }}
      columns={columnsFor(t)}
      views={[
        { text: t.list.all, set: {} },
        ...warehouseStatuses.map((status) => ({ text: say.states[status], set: { status } })),
      ]}
      empty={<Empty text={say.none} />}
    />
  );
};

export const WarehousesView = (shown: All): JSX.Element => {
  const { data, form, t } = shown;
  const { one } = data;
  const say = warehouseTexts(t);
  return (
    <>
      {one ? (
        <Section title={say.edit({ name: one.name })}>
          <WarehouseForm {...{ form, t, one }} />
          {one.is_default && isBack(form, 'close') ? <Alert text={form.alert} /> : null}
          {one.is_default ? null : (
            <>
              <OneForm {...{ form, t, one, name: 'default' }} />
              <OneForm {...{ form, t, one, name: 'close' }} />
            </>
          )}
        </Section>
      ) : (
        <Adder title={say.create} isOpen={isBack(form, 'create')}>
          <WarehouseForm form={form} t={t} />
        </Adder>
      )}
      <WarehouseList {...shown} />
    </>
  );
};
