import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { FormState, Shown } from '../../../web/page.types';
import { Check, Field, MoneyField, Select, TextArea } from '../../../web/ui/field';
import { Adder, Form, isBack, SaveBar } from '../../../web/ui/form';
import { Chip, Empty, Money, Section } from '../../../web/ui/parts';
import { Table, type Column } from '../../../web/ui/table';
import type { Couriers } from '../couriers/public';
import { CouriersForm } from './couriers.view';
import { seenOf } from '../../../web/seen';
import { editableOf, methodKinds, type ShippingMethod } from '../methods/public';
import { shippingTexts } from './shipping.texts';

export interface ShippingData extends Couriers {
  readonly methods: readonly ShippingMethod[];
  readonly one: ShippingMethod | undefined;
  readonly areTold: boolean;
}
type All = Shown<ShippingData, object>;

interface Parts {
  readonly form: FormState;
  readonly t: Reader;
  readonly one?: ShippingMethod;
}

const MethodForm = ({ form, t, one }: Parts): JSX.Element => {
  const say = shippingTexts(t);
  const of = one ? 'save' : 'create';
  return (
    <Form form={form} action="/shipping" name={of}>
      {one ? <input type="hidden" name="id" value={one.id} /> : null}
      {one ? <input type="hidden" name="seen" value={seenOf(editableOf(one))} /> : null}
      <fieldset class="form-two">
        <legend>{say.methods}</legend>
        <Select
          {...{ form, of, name: 'kind', label: say.kind, value: one?.kind }}
          options={methodKinds.map((kind) => [kind, say.kinds[kind]])}
        />
        <Field {...{ form, of, name: 'name', label: say.name, maxLength: 80, required: true, value: one?.name }} />
        <MoneyField {...{ form, of, name: 'cost', label: say.cost, value: one?.cost }} />
        <MoneyField
          {...{ form, of, name: 'free_over', label: say.freeOver, hint: t.form.optional, value: one?.free_over }}
        />
        <Field
          {...{ form, of, name: 'max_weight_g', label: say.weight, hint: t.form.optional, inputMode: 'numeric' }}
          value={one?.max_weight_g}
        />
        <TextArea
          {...{ form, of, name: 'areas', label: say.areas, hint: say.areasHint, rows: 3 }}
          value={one?.areas.join('\n')}
        />
        <Check {...{ form, of, name: 'active', label: say.active, value: one?.active ?? true }} />
      </fieldset>
      <SaveBar text={say.save}>
        {one ? (
          <a class="button" href="/shipping">
            {t.form.cancel}
          </a>
        ) : null}
      </SaveBar>
    </Form>
  );
};

const RemoveForm = ({ form, t, one }: Required<Parts>): JSX.Element => (
  <Form form={form} action="/shipping" name="remove">
    <input type="hidden" name="id" value={one.id} />
    <div class="row-actions">
      <button class="button button-danger">{shippingTexts(t).remove}</button>
    </div>
  </Form>
);

const columnsFor = (t: Reader, may: boolean): readonly Column<ShippingMethod>[] => {
  const say = shippingTexts(t);
  return [
    {
      ...{ title: say.name, main: true },
      cell: ({ id, name }) => (may ? <a href={`/shipping?id=${id}`}>{name}</a> : name),
    },
    {
      ...{ title: say.state, plain: true },
      cell: ({ active }) => <Chip tone={active ? 'good' : 'plain'}>{active ? say.on : say.off}</Chip>,
    },
    { title: say.kind, plain: true, cell: ({ kind }) => say.kinds[kind] },
    { title: say.areas, cell: ({ areas }) => areas.join(', ') },
    { title: say.cost, number: true, cell: ({ cost }) => <Money amount={cost} /> },
  ];
};

export const ShippingView = (shown: All): JSX.Element => {
  const { data, form, t, viewer } = shown;
  const { methods, one } = data;
  const say = shippingTexts(t);
  const may = viewer.caller.abilities.has('shipping.write');
  return (
    <>
      {may && one ? (
        <Section title={say.edit({ name: one.name })}>
          <MethodForm {...{ form, t, one }} />
          <RemoveForm {...{ form, t, one }} />
        </Section>
      ) : null}
      {may && !one ? (
        <Adder title={say.create} isOpen={isBack(form, 'create')}>
          <MethodForm form={form} t={t} />
        </Adder>
      ) : null}
      <Section title={say.methods}>
        {methods.length === 0 ? (
          <Empty text={say.noMethods} />
        ) : (
          <Table caption={say.methods} rows={methods} columns={columnsFor(t, may)} />
        )}
      </Section>
      <Section title={say.couriers}>
        <CouriersForm {...{ form, t, data, may }} />
      </Section>
    </>
  );
};
