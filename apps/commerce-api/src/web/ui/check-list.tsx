import type { JSX } from 'preact';
import { idOf, stateOf } from './form';
import type { Labelled } from './field';

interface CheckListParts extends Omit<Labelled, 'value' | 'required'> {
  /** What is ticked now. */
  readonly value?: readonly string[];
  readonly options: readonly (readonly [value: string, text: string])[];
}

/** What was ticked in a form that came back; one box alone comes as a text. */
const tickedIn = (typed: unknown): readonly string[] =>
  [typed].flat().filter((each): each is string => typeof each === 'string');

/** Boxes of which several may be ticked, under one name. */
export const CheckList = ({ form: all, of, name, label, hint, value = [], options }: CheckListParts): JSX.Element => {
  const form = stateOf(all, of);
  const [id, error] = [idOf(name, of), form.errors[name]];
  const isBack = Object.keys(form.fields).length > 0;
  const ticked = isBack ? tickedIn(form.fields[name]) : value;
  return (
    <div class={error === undefined ? 'field' : 'field field-wrong'} role="group" aria-labelledby={`${id}-label`}>
      <b id={`${id}-label`} class="check-label">
        {label}
      </b>
      <div id={id} class="check-list" tabIndex={-1}>
        {options.map(([each, text]) => (
          <label class="check">
            <input type="checkbox" name={name} value={each} checked={ticked.includes(each)} />{' '}
            <span dir="auto">{text}</span>
          </label>
        ))}
      </div>
      {error === undefined ? null : <p class="error">{error}</p>}
      {hint === undefined ? null : <p class="hint">{hint}</p>}
    </div>
  );
};
