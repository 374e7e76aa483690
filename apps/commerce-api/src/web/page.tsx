import { InvalidInput, NotFound, type AnyFailure } from '@platform/errors';
import { Redirect, Reply, type Endpoint, type Once, type Page, type RefusedRequest } from '@platform/http';
import type { Transaction } from '@platform/data';
import { typedIn, wrongOf } from './form.fields';
import { failurePage } from './failure.page';
import { FORM, foreignForm, formFor, isForeign, pageEndpoint, placed, readForm, type Given } from './form.state';
import { readerOf } from './i18n/reader';
import type { Pages, WebKit } from './kit';
import type { Action, AnyAction, Asked, Done, PageDefinition, Params } from './page.types';
import type { PageAbility } from './session.guard';
import { isCsrfToken } from './sessions/csrf';
import { flashCookie } from './sessions/flash';
import { refusedPage, shownPage, type AnyPage, type Headers } from './shown.page';
import type { Viewer } from './viewer';

/** What pages and forms are given of a request. */
interface Incoming {
  readonly caller: Viewer;
  readonly query: unknown;
  readonly params: Params;
  readonly headers: Headers;
}

const askedBy = ({ caller: viewer, query, params }: Omit<Incoming, 'headers'>): Asked<unknown> => {
  const { locale, session } = viewer;
  return { viewer, query, params, t: readerOf(locale, session.timezone) };
};

const getEndpoint = (kit: WebKit, page: AnyPage): Endpoint =>
  pageEndpoint({
    get: page.get,
    summary: `The page ${page.get}`,
    guard: `page:${page.ability}`,
    query: page.query,
    refused: refusedPage(kit),
    handle: async (input: Incoming) => {
      const asked = askedBy(input);
      const { viewer, params, t } = asked;
      const { session } = viewer;
      const cookies = input.headers.cookie as string | undefined;
      const path = placed(page.get, params);
      const [data, draft] = await Promise.all([page.load(asked), kit.drafts.take(cookies, session, path)]);
      const kept = draft && { action: draft.action, fields: draft.fields, alert: t.form.draft };
      const form = formFor(session.secret, kept);
      return shownPage(kit, page, { ...asked, data, form }, input.headers, draft && [draft.forget]);
    },
  });

/** Failures of a form that are told at the form; all others take its place. */
export const TOLD: ReadonlySet<AnyFailure['kind']> = new Set([
  'invalid',
  'conflict',
  'rejected',
  'paymentRequired',
  'unsupportedMedia',
  'tooLarge',
]);

/** What a form was for is not there any more, or was never of this store. */
const GONE = 404;

interface Posting {
  readonly post: string;
  readonly ability: PageAbility;
  readonly page: AnyPage;
  readonly secretFields?: readonly string[];
  readonly actionOf: (fields: Given) => AnyAction;
}

/** What the page shows; undefined when it is not there any more. */
const dataOf = async ({ load }: AnyPage, again: Asked<unknown>): Promise<{ readonly data: unknown } | undefined> => {
  try {
    return { data: await load(again) };
  } catch (failure) {
    if (failure instanceof NotFound) return undefined;
    throw failure;
  }
};

/** The same page again, with what was typed and what is wrong with it. */
const cameBack =
  (kit: WebKit, { page, secretFields }: Posting) =>
  async (failure: AnyFailure, asked: RefusedRequest): Promise<Reply<Page | Redirect>> => {
    const { caller, given, request, status } = asked;
    const viewer = caller as Viewer | undefined;
    // Without its fields there is nothing to show again
    const params = (request.params ?? {}) as Params;
    if (!viewer || !given || !(TOLD.has(failure.kind) || isForeign(failure)))
      return refusedPage(kit, { secretFields, page: placed(page.get, params) })(failure, asked);
    const again = askedBy({ caller: viewer, params, query: page.query ? new page.query() : {} });
    const shown = await dataOf(page, again);
    if (!shown) return failurePage(kit, new NotFound('Page not found'), { request, status: GONE });
    const { action } = (given.fields ?? {}) as { readonly action?: string };
    const wrong = wrongOf(failure, again.t, page);
    const form = formFor(viewer.session.secret, { action, fields: typedIn(given.fields), ...wrong });
    const reply = shownPage(kit, page, { ...again, ...shown, form }, request.headers);
    return new Reply(reply.value, { ...reply.options, status });
  };

const onward = (kit: WebKit, { session }: Viewer, { to, flash }: Done): Reply<Redirect> => {
  const said = flash !== undefined && { 'Set-Cookie': [flashCookie(session.secret, flash, kit.secure)] };
  return new Reply(new Redirect(to, 303), { headers: { ...said } });
};

interface Sent extends Incoming {
  readonly body: Given;
  readonly once: Once<Transaction>;
}

const postEndpoint = (kit: WebKit, posting: Posting): Endpoint =>
  pageEndpoint({
    ...FORM,
    post: posting.post,
    summary: `The forms of ${posting.page.get}`,
    guard: `page:${posting.ability}`,
    idempotency: 'optional',
    keyField: '_idem',
    secretFields: [...FORM.secretFields, ...(posting.secretFields ?? [])],
    refused: cameBack(kit, posting),
    handle: async (input: Sent) => {
      const { viewer, params, t } = askedBy(input);
      const { body: fields, once } = input;
      if (!isCsrfToken(viewer.session.secret, fields._csrf)) throw foreignForm();
      const { body: dto, run, done } = posting.actionOf(fields);
      const body = dto ? readForm(dto, fields) : {};
      return once(async (tx) => onward(kit, viewer, done(await run({ viewer, params, body, tx }), { t, params })));
    },
  });

/** A page of the back office: `load` asks the services of the API, `view` shows what they say. */
export const page = <D, Q = Record<never, never>>(
  definition: PageDefinition<D, Q>,
): Pages & { readonly definition: PageDefinition<D, Q> } =>
  Object.assign((kit: WebKit) => [getEndpoint(kit, definition as unknown as AnyPage)], { definition });

export interface FormOf {
  readonly post: string;
  readonly ability: PageAbility;
  /** The page that is shown again when something is wrong. */
  readonly of: { readonly definition: unknown };
  /** Inputs that are never kept anywhere: passwords, PINs, one-time codes. */
  readonly secretFields?: readonly string[];
}

const posts =
  ({ of, post, ability, secretFields }: FormOf, actionOf: Posting['actionOf']): Pages =>
  (kit) => [postEndpoint(kit, { post, ability, secretFields, actionOf, page: of.definition as AnyPage })];

/** The one form of a page. */
export const form = <B extends object, R>(definition: FormOf & Action<B, R>): Pages =>
  posts(definition, () => definition as unknown as AnyAction);

/** One action, for the list of `actions`; its types follow from its body. */
export const action = <B extends object, R>(definition: Action<B, R>): AnyAction => definition as unknown as AnyAction;

/** The forms of a page that post to one address; the field `action` says which was sent, and behind a dot of which row. */
export const actions = ({ on, ...definition }: FormOf & { readonly on: Readonly<Record<string, AnyAction>> }): Pages =>
  posts(definition, ({ action: given }) => {
    const name = typeof given === 'string' ? (given.split('.', 1)[0] ?? '') : '';
    const known = Object.hasOwn(on, name) ? on[name] : undefined;
    if (known) return known;
    const message = `action must be one of ${Object.keys(on).join(', ')}`;
    throw new InvalidInput([{ field: 'action', tag: 'oneof', message }]);
  });
