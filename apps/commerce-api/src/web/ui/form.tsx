import type { ComponentChildren, JSX } from 'preact';
import type { FormState } from '../page.types';
import { Icon } from './icon';
import { useReader } from './reading';

export interface FormParts {
  readonly form: FormState;
  readonly action: string;
  /** Which form of its page this is, where it has several. */
  readonly name?: string;
  /** With a file. */
  readonly isUpload?: true;
  readonly children: ComponentChildren;
}

const plainName = (name: string): string => name.replace(/[[\].]+/g, '-').replace(/-$/, '');

/** The id of an input, of the form that is called `of` where a page has several. */
export const idOf = (name: string, of?: string): string =>
  of === undefined ? plainName(name) : `${plainName(of)}-${plainName(name)}`;

/** The input that holds all members of a list: `keys` of `keys[3]`. */
export const ofList = (name: string): string => name.replace(/\[\d+\]$/, '');

/** What came back, over the form, with a way to each input; it takes the focus. */
const Summary = ({ form: { errors, alert, action } }: Pick<FormParts, 'form'>): JSX.Element | null => {
  const t = useReader();
  const wrong = Object.entries(errors);
  if (wrong.length === 0 && alert === undefined) return null;
  return (
    <div class="alert bad" role="alert" tabIndex={-1} autofocus>
      <Icon name="alert-triangle" />
      <div>
        {alert === undefined ? null : <p>{alert}</p>}
        {wrong.length === 0 ? null : (
          <>
            <b>{t.form.notSaved({ count: wrong.length })}</b>
            <ul>
              {wrong.map(([name, text]) => (
                <li>
                  <a href={`#${idOf(ofList(name), action)}`}>{text}</a>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </div>
  );
};

/** The state of one of a page's forms: empty, unless this is the one that came back. */
export const stateOf = (form: FormState, name: string | undefined): FormState =>
  form.action === name ? form : { ...form, action: name, fields: {}, errors: {}, alert: undefined, isStale: false };

/** Whether this form of a page came back with something to read. */
export const isBack = (form: FormState, name?: string): boolean => {
  const { errors, alert } = stateOf(form, name);
  return alert !== undefined || Object.keys(errors).length > 0;
};

/** A form that works without script: it proves where it comes from, and counts once however often it is sent. */
export const Form = ({ form: all, action, name, isUpload, children }: FormParts): JSX.Element => {
  const form = stateOf(all, name);
  return (
    <form class="form" method="post" action={action} enctype={isUpload ? 'multipart/form-data' : undefined} noValidate>
      <input type="hidden" name="_csrf" value={form.csrf} />
      <input type="hidden" name="_idem" value={`${form.key}${name ?? ''}`} />
      {name === undefined ? null : <input type="hidden" name="action" value={name} />}
      <Summary form={form} />
      {children}
    </form>
  );
};

/** The save button, within reach of the thumb. */
export const SaveBar = ({ text, name, value, children }: SaveParts): JSX.Element => (
  <div class="save-bar">
    {children}
    <button class="button button-main" name={name} value={value}>
      {text}
    </button>
  </div>
);

interface SaveParts {
  readonly text: string;
  /** What this button says beside the inputs, where there are others. */
  readonly name?: string;
  readonly value?: string;
  /** Other ways, before it. */
  readonly children?: ComponentChildren;
}

/** A form that is opened by its button, over a list. It stands open when it came back. */
export const Adder = ({
  title,
  isOpen,
  children,
}: {
  readonly title: string;
  readonly isOpen: boolean;
  readonly children: ComponentChildren;
}): JSX.Element => (
  <details class="adder" open={isOpen}>
    <summary class="button button-main">
      <Icon name="plus" />
      {title}
    </summary>
    {children}
  </details>
);
