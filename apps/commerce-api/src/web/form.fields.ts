import type { AnyFailure, InvalidInput } from '@platform/errors';
import { isUuid } from '@platform/runtime';
import type { Reader } from './i18n/reader';
import type { AnyAction, FormState, PageDefinition } from './page.types';
import { isPercent } from './percent';
import type { Typed } from './sessions/drafts';

type Given = Readonly<Record<string, unknown>>;

/** Fields that our forms carry beside those of people. */
const HIDDEN: ReadonlySet<string> = new Set(['_csrf', '_idem', 'action']);

const isList = (value: unknown): boolean => Array.isArray(value) && value.every((each) => typeof each === 'string');

/** A form with a file arrives nested by its names: as all others do, `message[text]` is one input. */
const inputsIn = (name: string, value: unknown): [name: string, value: unknown][] =>
  typeof value === 'object' && value !== null && !isList(value)
    ? Object.entries(value).flatMap(([key, inner]) => inputsIn(`${name}[${key}]`, inner))
    : [[name, value]];

/** Without what our forms carry themselves. */
export const withoutHidden = (fields: unknown): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries((fields ?? {}) as Readonly<Record<string, unknown>>).filter(([name]) => !HIDDEN.has(name)),
  );

/** What people typed: texts, and lists of them. */
export const typedIn = (fields: unknown): Typed =>
  Object.fromEntries(Object.entries(withoutHidden(fields)).flatMap(([name, value]) => inputsIn(name, value))) as Typed;

/** The row that a form which came back is about; undefined: it names none. */
export const idTyped = (typed: Typed | undefined): string | undefined => {
  const id = typed?.id;
  return typeof id === 'string' && isUuid(id) ? id.toLowerCase() : undefined;
};

/** `items[0].qty` as the input is called: `items[0][qty]`. */
const inputName = (field: string): string => field.replace(/\.([^.[\]]+)/g, '[$1]');

/** Failures of a form that are told at the form; all others take its place. */
export const TOLD: ReadonlySet<AnyFailure['kind']> = new Set([
  'invalid',
  'conflict',
  'rejected',
  'paymentRequired',
  'unsupportedMedia',
  'tooLarge',
]);

/** Of forms whose work another service does (`ownersForm`). */
export const AWAY: ReadonlySet<AnyFailure['kind']> = new Set([
  'upstreamFailed',
  'upstreamTimedOut',
  'unavailable',
  'tooMany',
]);

/** What every form with a file says of one that it does not take, unless its page says more. */
export const FILE_REFUSED = {
  // Nothing else of its form was read either; browsers keep it where it was typed
  tooLarge: { field: 'file', text: (t: Reader): string => t.upload.unread },
  unsupportedMedia: { field: 'file', text: (t: Reader): string => t.upload.wrongType },
};

type Rules = keyof Reader['form']['rules'];

/** What a rule that was broken is called, and what it speaks of. */
export interface Broken {
  readonly tag: string;
  readonly about?: string | undefined;
}
type Told = Readonly<Record<string, (given: { readonly label: string; readonly about: string }) => string>>;

/** What is wrong with something that has this name; `own` are texts of rules that no other page has. */
export const sentence = (t: Reader, { tag, about = '' }: Broken, label: string, own: Told = {}): string => {
  if (Object.hasOwn(own, tag)) return own[tag]?.({ label, about }) ?? '';
  const { rules } = t.form;
  const rule = Object.hasOwn(rules, tag) ? (tag as Rules) : 'other';
  return rules[rule]({ label });
};

type Wrong = Pick<FormState, 'errors' | 'alert' | 'isStale'>;
type Words = Pick<PageDefinition<never, never>, 'labels' | 'conflicts' | 'rules'>;

/** The input that names a row which is not there (any more), where a body named it. */
export const missingAt = (failure: AnyFailure): string | undefined => {
  const field = failure.kind === 'notFound' ? failure.details?.field : undefined;
  return typeof field === 'string' ? inputName(field) : undefined;
};

/** One of several that are typed into one input is told by its number: `Kunci 4`. */
const memberOf = (names: Readonly<Record<string, string>>, name: string): string | undefined => {
  const [, list = '', at] = /^(.+)\[(\d+)\]$/.exec(name) ?? [];
  const label = names[`${list}[]`];
  return label && `${label} ${Number(at) + 1}`;
};

const labelOf = (names: Readonly<Record<string, string>>, name: string): string =>
  names[name] ?? memberOf(names, name) ?? names[name.replace(/\[\d+\]/g, '[]')] ?? name;

/** What `wrongOf` needs to know of a form. */
export interface WrongIn extends Words {
  /** The input that a field of its body was typed into. */
  readonly typedAt?: (name: string) => string;
}

/** Where what a form's action has moved stands in it; an action that nobody knows moves nothing. */
export const movedBack =
  (actionOf: (fields: Given) => Pick<AnyAction, 'typedAt'>, fields: Given) =>
  (name: string): string => {
    try {
      return actionOf(fields).typedAt?.(name, typedIn(fields)) ?? name;
    } catch {
      return name;
    }
  };

/** What is wrong with each input, in the order of the page. */
const wrongInputs = (
  violations: InvalidInput['violations'],
  t: Reader,
  { rules, typedAt = (name) => name }: WrongIn,
  names: Readonly<Record<string, string>>,
): Wrong => {
  const entries = violations.map(({ field, ...broken }) => {
    const name = typedAt(inputName(field));
    // What is kept of a percentage is not what is typed
    const rule = isPercent(name) ? { tag: 'percent' } : broken;
    return [name, sentence(t, rule, labelOf(names, name), rules?.(t))] as const;
  });
  const order = Object.keys(names);
  const inOrder = [...entries].sort(([one], [other]) => order.indexOf(one) - order.indexOf(other));
  return { errors: Object.fromEntries(inOrder) };
};

const conflictOf = ({ code, kind }: AnyFailure, t: Reader, conflicts: NonNullable<Words['conflicts']>): Wrong => {
  const known = conflicts[code ?? ''] ?? conflicts[kind];
  if (known?.field !== undefined) return { errors: { [known.field]: known.text(t) } };
  if (code === 'idempotency_running') return { errors: {}, alert: t.form.running };
  const usual = AWAY.has(kind) ? t.failure.unavailable.text : t.failure.conflict.title;
  return { errors: {}, alert: known?.text(t) ?? usual };
};

/** What a failure says of the form that was sent, in the language of who sent it: by rule and code, never by its English text. */
export const wrongOf = (failure: AnyFailure, t: Reader, words: WrongIn): Wrong => {
  const { labels, conflicts = {} } = words;
  const names = labels?.(t) ?? {};
  if (failure.kind === 'invalid') return wrongInputs(failure.violations, t, words, names);
  const missing = missingAt(failure);
  if (missing !== undefined) return { errors: { [missing]: t.form.rules.exists({ label: labelOf(names, missing) }) } };
  if (failure.code === 'foreign_form' || failure.code === 'foreign_origin')
    return { errors: {}, alert: t.failure.foreign.text };
  if (failure.code === 'version_conflict') return { errors: {}, alert: t.form.stale, isStale: true };
  return conflictOf(failure, t, conflicts);
};
