import { Forbidden, InvalidInput, type AnyFailure } from '@platform/errors';
import { CustomBody, oneOf, type Endpoint } from '@platform/http';
import { uuidv7 } from '@platform/runtime';
import { Anything, parse, type DtoClass } from '@platform/validation';
import { rowEndpoint } from '../endpoint';
import { withoutHidden } from './form.fields';
import type { FormState, Params } from './page.types';
import { csrfToken } from './sessions/csrf';

/** Fields as they arrive; their DTO reads them once it is known whose form it is. */
class FormFields {
  @Anything({ optional: true }) action?: unknown;
}
export type Given = Readonly<Record<string, unknown>>;

/** What endpoints of forms have in common. */
export const FORM = {
  body: new CustomBody(FormFields, (fields) => fields as FormFields & Given),
  accepts: ['urlencoded', 'multipart'],
  secretFields: ['_csrf'],
} as const;

/** The `endpoint()` of this service for a page, for definitions whose types were checked before. */
export const pageEndpoint = (definition: object): Endpoint =>
  (rowEndpoint as unknown as (definition: object) => Endpoint)({
    reply: oneOf('page', 'redirect'),
    isPage: true,
    ...definition,
  });

/** Empty, for the holder of `secret`. */
export const formFor = (secret: string, more: Partial<FormState> = {}): FormState => ({
  ...{ fields: {}, errors: {}, csrf: csrfToken(secret), key: uuidv7() },
  ...more,
});

/** The fields by their DTO; throws `InvalidInput`. */
export const readForm = <B extends object>(body: DtoClass<B>, fields: Given): B => {
  const { value, violations } = parse(body, withoutHidden(fields), { from: 'form', unknownKeys: 'refuse' });
  if (violations) throw new InvalidInput(violations);
  return value;
};

/** The path of a page with its parameters. */
export const placed = (path: string, params: Params): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));

export const foreignForm = (): Forbidden =>
  new Forbidden('This form is not one of ours, or too old', { code: 'foreign_form' });

export const isForeign = ({ code }: AnyFailure): boolean => code === 'foreign_form' || code === 'foreign_origin';

/** The key that a form was sent with, for a form that is to count as the same: an owner was away, or it is being worked on still. */
export const keyAgain = (
  { code }: AnyFailure,
  { _idem: key, action = '' }: Given,
  isAway = false,
): Pick<Partial<FormState>, 'key'> => {
  if (!isAway && code !== 'idempotency_running') return {};
  if (typeof key !== 'string' || typeof action !== 'string' || key === '' || !key.endsWith(action)) return {};
  return { key: key.slice(0, key.length - action.length) };
};
