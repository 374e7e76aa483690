import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { FormState } from '../../../web/page.types';
import { Field } from '../../../web/ui/field';
import { idOf, stateOf } from '../../../web/ui/form';
import { Icon } from '../../../web/ui/icon';
import type { PickedLine, Picking } from './picking';
import { pickingTexts } from './picking.texts';
import { textOf } from './picking.typed';

interface Parts {
  readonly form: FormState;
  readonly t: Reader;
  /** Which form of its page, where there are several. */
  readonly of?: string;
  /** What its lines are called. */
  readonly list: string;
  readonly picking: Picking;
}

const Search = ({ form, t, picking, of }: Parts): JSX.Element => {
  const say = pickingTexts(t);
  const hasAsked = textOf(stateOf(form, of).fields, 'q') !== '';
  return (
    <>
      <div class="look-up">
        <Field {...{ form, of, name: 'q', label: say.search, maxLength: 200 }} />
        <button class="button" name="find" value="1">
          <Icon name="search" />
          {say.find}
        </button>
      </div>
      {hasAsked && picking.found.length === 0 ? <p class="hint">{say.notFound}</p> : null}
      {picking.found.length === 0 ? null : (
        <ul class="rows found">
          {picking.found.map(({ variant_id: id, name, sku, price, stock }) => (
            <li>
              <span>
                {name}{' '}
                <small>
                  <span class="code">{sku}</span> · {t.money(price)}
                  {stock === null ? null : ` · ${say.left({ count: t.count(stock) })}`}
                </small>
              </span>
              <button class="button" name="add" value={id} aria-label={say.add({ name })}>
                <Icon name="plus" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
};

const Line = ({
  form,
  t,
  of,
  list,
  line,
  at,
}: Omit<Parts, 'picking'> & { readonly line: PickedLine; readonly at: number }) => {
  const say = pickingTexts(t);
  const name = `${list}[${at}][qty]`;
  // What stands there follows from all that was typed, not from the input of this place
  const own = { ...stateOf(form, of), fields: { [name]: line.qty } };
  const error = own.errors[`${list}[${at}][variant_id]`];
  const left = line.left === undefined ? '' : ` · ${say.left({ count: t.count(line.left) })}`;
  return (
    <li>
      <input type="hidden" name={`${list}[${at}][variant_id]`} value={line.variant_id} />
      <Field
        {...{ form: own, of, name, label: line.name ?? say.gone, inputMode: 'numeric', maxLength: 4 }}
        hint={line.price === undefined ? (error ?? say.gone) : `× ${t.money(line.price)}${left}`}
      />
    </li>
  );
};

/** The goods of a form, with the way to more; its buttons keep all that was typed. */
export const Picker = (parts: Parts): JSX.Element => {
  const { form, t, picking, of, list } = parts;
  const say = pickingTexts(t);
  const error = stateOf(form, of).errors[list];
  return (
    <fieldset id={idOf(list, of)}>
      <legend>{say.goods}</legend>
      {error === undefined ? null : <p class="error">{error}</p>}
      {picking.lines.length === 0 ? (
        <p class="hint">{say.noGoods}</p>
      ) : (
        <>
          <ul class="rows desk-lines">
            {picking.lines.map((line, at) => (
              <Line {...{ form, t, of, list, line, at }} />
            ))}
          </ul>
          <p class="hint">{say.quantityHint}</p>
        </>
      )}
      <Search {...parts} />
    </fieldset>
  );
};
