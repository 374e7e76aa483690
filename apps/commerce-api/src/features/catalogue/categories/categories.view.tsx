import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { FormState, Shown } from '../../../web/page.types';
import { Field, Select } from '../../../web/ui/field';
import { Adder, Form, isBack, SaveBar } from '../../../web/ui/form';
import { Empty, Section } from '../../../web/ui/parts';
import { seenOf } from '../../../web/seen';
import type { Category } from './categories.dto';
import { editableOf, flat, type Placed } from './categories.sql';
import { categoryTexts } from './categories.texts';

interface Parts {
  readonly form: FormState;
  readonly t: Reader;
  readonly all: readonly Placed[];
}

const parentsIn = ({ all, t }: Pick<Parts, 'all' | 't'>, but?: string) => [
  ['', categoryTexts(t).top] as const,
  ...all
    .filter(({ category, depth }) => depth < 2 && category.id !== but)
    .map(({ category: { id, name }, depth }) => [id, `${'– '.repeat(depth)}${name}`] as const),
];

const NewForm = (parts: Parts): JSX.Element => {
  const { form, t } = parts;
  const say = categoryTexts(t);
  const of = 'create';
  return (
    <Form form={form} action="/categories" name={of}>
      <fieldset class="form-two">
        <legend>{say.create}</legend>
        <Field {...{ form, of, name: 'name', label: say.name, maxLength: 80, required: true }} />
        <Select {...{ form, of, name: 'parent_id', label: say.parent, options: parentsIn(parts) }} />
        <Field {...{ form, of, name: 'slug', label: say.slug, hint: say.slugHint, maxLength: 60 }} />
      </fieldset>
      <SaveBar text={say.save} />
    </Form>
  );
};

const EditForm = (parts: Parts & { readonly placed: Placed }): JSX.Element => {
  const { form, t, placed } = parts;
  const { id, name, slug, parent_id } = placed.category;
  const say = categoryTexts(t);
  const of = 'save';
  return (
    <Section title={say.edit({ name })}>
      <Form form={form} action="/categories" name={of}>
        <input type="hidden" name="id" value={id} />
        <input type="hidden" name="seen" value={seenOf(editableOf(placed))} />
        <div class="form-two panel">
          <Field {...{ form, of, name: 'name', label: say.name, maxLength: 80, required: true, value: name }} />
          <Field {...{ form, of, name: 'slug', label: say.slug, maxLength: 60, value: slug }} />
          <Select
            {...{ form, of, name: 'parent_id', label: say.parent, value: parent_id, options: parentsIn(parts, id) }}
          />
          <Field
            {...{ form, of, name: 'position', label: say.position, hint: say.positionHint, inputMode: 'numeric' }}
            value={placed.place}
          />
        </div>
        <SaveBar text={say.save}>
          <a class="button" href="/categories">
            {t.form.cancel}
          </a>
        </SaveBar>
      </Form>
      <Form form={form} action="/categories" name="remove">
        <input type="hidden" name="id" value={id} />
        <p class="hint">{say.removeHint}</p>
        <div class="row-actions">
          <button class="button button-danger">{say.remove}</button>
        </div>
      </Form>
    </Section>
  );
};

const Row = ({ placed, t, may }: { readonly placed: Placed; readonly t: Reader; readonly may: boolean }) => {
  const { id, name, products } = placed.category;
  return (
    <li class={`panel tree-${placed.depth}`}>
      {may ? (
        <a class="link" href={`/categories?id=${id}`}>
          {name}
        </a>
      ) : (
        <b>{name}</b>
      )}
      <small>{categoryTexts(t).products({ count: t.count(products) })}</small>
    </li>
  );
};

type All = Shown<{ readonly tree: readonly Category[]; readonly id: string | undefined }, object>;

export const CategoriesView = ({ data, form, t, viewer }: All): JSX.Element => {
  const all = flat(data.tree);
  const may = viewer.caller.abilities.has('category.write');
  const placed = may ? all.find(({ category }) => category.id === data.id) : undefined;
  const parts = { form, t, all };
  return (
    <>
      {may ? (
        <Adder title={categoryTexts(t).create} isOpen={isBack(form, 'create')}>
          <NewForm {...parts} />
        </Adder>
      ) : null}
      {placed ? <EditForm {...parts} placed={placed} /> : null}
      {all.length === 0 ? (
        <Empty text={categoryTexts(t).none} />
      ) : (
        <ul class="rows tree">
          {all.map((each) => (
            <Row placed={each} t={t} may={may} />
          ))}
        </ul>
      )}
    </>
  );
};
