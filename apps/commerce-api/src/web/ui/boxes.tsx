import type { JSX } from 'preact';
import { idOf, stateOf } from './form';
import type { Labelled } from './field';

type Group = readonly [title: string, options: readonly (readonly [value: string, text: string])[]];

interface BoxesParts extends Omit<Labelled, 'value' | 'required'> {
  /** What is ticked, unless something else came back. */
  readonly value?: readonly string[];
  readonly groups: readonly Group[];
}

const listOf = (typed: unknown): readonly unknown[] => (Array.isArray(typed) ? typed : [typed]);

/** What is wrong with the list, or with one of its values. */
const errorIn = (errors: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.entries(errors).find(([field]) => field === name || field.startsWith(`${name}[`))?.[1];

/** Several of a list, in groups: boxes to tick. */
export const Boxes = ({ form: all, of, name, label, hint, value = [], groups }: BoxesParts): JSX.Element => {
  const form = stateOf(all, of);
  const isBack = Object.keys(form.fields).length > 0;
  const ticked = isBack ? listOf(form.fields[name]) : value;
  const [id, error] = [idOf(name, of), errorIn(form.errors, name)];
  return (
    <div class="boxes" id={id} role="group" aria-labelledby={`${id}-name`} tabIndex={-1}>
      <b id={`${id}-name`}>{label}</b>
      {error === undefined ? null : <p class="error">{error}</p>}
      {hint === undefined ? null : <p class="hint">{hint}</p>}
      {groups.map(([title, options]) => (
        <div class="boxes-group">
          {groups.length === 1 ? null : <span class="boxes-title">{title}</span>}
          {options.map(([option, text]) => (
            <label class="check">
              <input type="checkbox" name={name} value={option} checked={ticked.includes(option)} /> {text}
            </label>
          ))}
        </div>
      ))}
    </div>
  );
};
