import type { AnyFailure } from '@platform/errors';
import type { Reader } from './i18n/reader';
import type { FormState, PageDefinition } from './page.types';
import type { Typed } from './sessions/drafts';

/** Fields that our forms carry beside those of people. */
const HIDDEN: ReadonlySet<string> = new Set(['_csrf', '_idem', 'action']);

/** What people typed: texts, and lists of them. */
export const typedIn = (fields: unknown): Typed =>
  Object.fromEntries(
    Object.entries((fields ?? {}) as Readonly<Record<string, unknown>>).filter(([name]) => !HIDDEN.has(name)),
  );

/** `items[0].qty` as the input is called: `items[0][qty]`. */
const inputName = (field: string): string => field.replace(/\.([^.[\]]+)/g, '[$1]');

type Rules = keyof Reader['form']['rules'];

const sentence = ({ form: { rules } }: Reader, tag: string, label: string): string => {
  const rule = Object.hasOwn(rules, tag) ? (tag as Rules) : 'other';
  return rules[rule]({ label });
};

type Wrong = Pick<FormState, 'errors' | 'alert' | 'isStale'>;
type Words = Pick<PageDefinition<never, never>, 'labels' | 'conflicts'>;

/** What a failure says of the form that was sent, in the language of who sent it: by rule and code, never by its English text. */
export const wrongOf = (failure: AnyFailure, t: Reader, { labels, conflicts = {} }: Words): Wrong => {
  const names = labels?.(t) ?? {};
  if (failure.kind === 'invalid') {
    const entries = failure.violations.map(({ field, tag }) => {
      const name = inputName(field);
      return [name, sentence(t, tag, names[name] ?? names[name.replace(/\[\d+\]/g, '[]')] ?? name)] as const;
    });
    const order = Object.keys(names);
    const inOrder = [...entries].sort(([one], [other]) => order.indexOf(one) - order.indexOf(other));
    return { errors: Object.fromEntries(inOrder) };
  }
  if (failure.code === 'foreign_form' || failure.code === 'foreign_origin')
    return { errors: {}, alert: t.failure.foreign.text };
  if (failure.code === 'version_conflict') return { errors: {}, alert: t.form.stale, isStale: true };
  const known = conflicts[failure.code ?? ''] ?? conflicts[failure.kind];
  if (known?.field !== undefined) return { errors: { [known.field]: known.text(t) } };
  return { errors: {}, alert: known?.text(t) ?? t.failure.conflict.title };
};
