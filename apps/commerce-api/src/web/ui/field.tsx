import type { ComponentChildren, JSX } from 'preact';
import type { FormState } from '../page.types';
import { idOf, ofList, stateOf } from './form';
import { useReader } from './reading';

export interface Labelled {
  readonly form: FormState;
  /** Which form of its page, where it has several. */
  readonly of?: string;
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  /** What is there now: it stands in the input unless something else was typed. */
  readonly value?: string | number | null;
  readonly required?: boolean;
}

/** What is wrong with an input, or with one of the things that are typed into it. */
const errorAt = ({ errors }: FormState, name: string): string | undefined =>
  errors[name] ?? Object.entries(errors).find(([at]) => ofList(at) === name)?.[1];

/** Attributes and texts that every kind of input has. */
const stateFor = ({ form: all, of, name, hint, value, required }: Labelled) => {
  const form = stateOf(all, of);
  const [id, error, typed] = [idOf(name, of), errorAt(form, name), form.fields[name]];
  const now = String(value ?? '');
  const shown = typeof typed === 'string' ? typed : now;
  const isStale = form.isStale === true && shown !== now;
  const notes = [
    ...(error === undefined ? [] : [`${id}-error`]),
    ...(hint === undefined ? [] : [`${id}-hint`]),
    ...(isStale ? [`${id}-now`] : []),
  ];
  const attributes = {
    ...{ id, name, required },
    'aria-describedby': notes.join(' ') || undefined,
    'aria-invalid': error === undefined ? undefined : ('true' as const),
  };
  return { id, error, now: isStale ? now : undefined, shown, attributes };
};

interface FrameParts extends Labelled {
  /** What is there now, in words. */
  readonly nameOf?: (value: string) => string;
  readonly children: ComponentChildren;
}

/** An input with its label, its hint, what is wrong with it, and what somebody else has put there since. */
const Frame = ({ nameOf = (value) => value, children, ...parts }: FrameParts): JSX.Element => {
  const { form } = useReader();
  const { id, error, now } = stateFor(parts);
  return (
    <div class={error === undefined ? 'field' : 'field field-wrong'}>
      <label for={id}>{parts.label}</label>
      <div class="input">{children}</div>
      {error === undefined ? null : (
        <p class="error" id={`${id}-error`}>
          {error}
        </p>
      )}
      {now === undefined ? null : (
        <p class="now" id={`${id}-now`}>
          {form.now({ value: now === '' ? form.empty : nameOf(now) })}
        </p>
      )}
      {parts.hint === undefined ? null : (
        <p class="hint" id={`${id}-hint`}>
          {parts.hint}
        </p>
      )}
    </div>
  );
};

interface FieldParts extends Labelled {
  readonly type?: 'text' | 'email' | 'password' | 'date' | 'datetime-local' | 'time' | 'tel' | 'url' | 'color';
  readonly inputMode?: 'numeric' | 'decimal' | 'email' | 'tel' | 'url';
  readonly autocomplete?: string;
  readonly prefix?: string;
  readonly maxLength?: number;
}

/** A line of text. A password never comes back. */
export const Field = ({ prefix, type = 'text', inputMode, autocomplete, maxLength, ...parts }: FieldParts) => {
  const { shown, attributes } = stateFor(parts);
  return (
    <Frame {...parts}>
      {prefix === undefined ? null : (
        <span class="prefix" aria-hidden="true">
          {prefix}
        </span>
      )}
      <input
        {...{ ...attributes, type, inputMode, autocomplete, maxLength }}
        value={type === 'password' ? undefined : shown}
      />
    </Frame>
  );
};

/** Hundredths of a percent (`[percent_bp]`, `[rate_bp]`), typed as percent: its form reads them with `percentsTyped`. */
export const PercentField = ({ value, ...parts }: Omit<Labelled, 'value'> & { readonly value: number | undefined }) => {
  const { count } = useReader();
  return <Field {...parts} inputMode="decimal" value={value === undefined ? undefined : count(value / 100)} />;
};

/** An amount in rupiah, typed with or without dots. */
export const MoneyField = (parts: Labelled): JSX.Element => <Field {...parts} prefix="Rp" inputMode="numeric" />;

export const TextArea = ({ rows = 4, ...parts }: Labelled & { readonly rows?: number }): JSX.Element => {
  const { shown, attributes } = stateFor(parts);
  return (
    <Frame {...parts}>
      <textarea {...attributes} rows={rows}>
        {shown}
      </textarea>
    </Frame>
  );
};

/** A file from the disk, or from the camera; its name is `file`, and what was chosen never comes back. */
export const FileField = ({ accept, ...parts }: Omit<Labelled, 'name' | 'value'> & { readonly accept: string }) => {
  const all = { ...parts, name: 'file' };
  const { attributes } = stateFor(all);
  return (
    <Frame {...all}>
      <input {...attributes} type="file" accept={accept} />
    </Frame>
  );
};

/** A box to tick: its words stand beside it. What is not ticked is not sent. */
export const Check = ({ value, ...parts }: Omit<Labelled, 'value'> & { readonly value?: boolean }): JSX.Element => {
  const form = stateOf(parts.form, parts.of);
  const isBack = Object.keys(form.fields).length > 0;
  const isOn = isBack ? form.fields[parts.name] !== undefined : value === true;
  const { id, error, attributes } = stateFor(parts);
  return (
    <div class={error === undefined ? 'field' : 'field field-wrong'}>
      <label class="check" for={id}>
        <input {...attributes} type="checkbox" value="true" checked={isOn} /> {parts.label}
      </label>
      {error === undefined ? null : (
        <p class="error" id={`${id}-error`}>
          {error}
        </p>
      )}
      {parts.hint === undefined ? null : (
        <p class="hint" id={`${id}-hint`}>
          {parts.hint}
        </p>
      )}
    </div>
  );
};

interface SelectParts extends Labelled {
  readonly options: readonly (readonly [value: string, text: string])[];
}

export const Select = ({ options, ...parts }: SelectParts): JSX.Element => {
  const { shown, attributes } = stateFor(parts);
  return (
    <Frame {...parts} nameOf={(value) => options.find(([known]) => known === value)?.[1] ?? value}>
      <select {...attributes}>
        {options.map(([value, text]) => (
          <option value={value} selected={value === shown}>
            {text}
          </option>
        ))}
      </select>
    </Frame>
  );
};
