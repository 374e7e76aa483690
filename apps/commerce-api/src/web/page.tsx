import { InvalidInput, NotFound, type AnyFailure } from '@platform/errors';
import { uuidv7 } from '@platform/runtime';
import { oneOf, Reply, Unkept, type Endpoint, type Once, type RefusedRequest, type Upload } from '@platform/http';
import type { Transaction } from '@platform/data';
import type { Need } from '../abilities';
import { refusals } from '../refusals';
import { AWAY, FILE_REFUSED, missingAt, movedBack, TOLD, typedIn, wrongOf } from './form.fields';
import { afterRunning } from './form.once';
import {
  FORM,
  foreignForm,
  formFor,
  isForeign,
  keyAgain,
  pageEndpoint,
  placed,
  readForm,
  type Given,
} from './form.state';
import { readerOf } from './i18n/reader';
import { refusedAt } from './instead.page';
import type { Pages, WebKit } from './kit';
import { asksForEvents, livePage } from './live/live.page';
import type { Action, AnyAction, Asked, FormState, OwnersAction, PageDefinition, Params } from './page.types';
import { onward } from './onward';
import { abilitiesOf, type PageAbility } from './session.guard';
import { isCsrfToken } from './sessions/csrf';
import { withoutMade } from './sessions/made.secrets';
import { formSecret } from './sessions/web.sessions';
import { shownPage, type AnyPage, type Headers } from './shown.page';
import type { Viewer } from './viewer';

/** What pages and forms are given of a request. */
interface Incoming {
  readonly caller: Viewer;
  readonly query: unknown;
  readonly params: Params;
  readonly headers: Headers;
}

const askedBy = (
  { clock }: WebKit,
  { caller: viewer, query, params }: Pick<Incoming, 'caller' | 'query' | 'params'>,
): Asked<unknown> => {
  const { locale, session } = viewer;
  return { viewer, query, params, t: readerOf(locale, session.timezone, clock.now()) };
};

const getEndpoint = (kit: WebKit, page: AnyPage): Endpoint =>
  pageEndpoint({
    get: page.get,
    summary: `The page ${page.get}`,
    guard: `page:${page.ability}`,
    query: page.query,
    ...(page.params && { params: page.params }),
    ...(page.live && { reply: oneOf('page', 'redirect', 'bytes') }),
    refused: refusedAt(kit, page),
    handle: async (input: Incoming) => {
      const asked = askedBy(kit, input);
      const { onlyLooks } = input.caller;
      if (page.live && !onlyLooks && asksForEvents(input.headers))
        return livePage({ kit, page, asked, headers: input.headers });
      const { viewer, params, t } = asked;
      const { session } = viewer;
      const cookies = input.headers.cookie as string | undefined;
      const path = placed(page.get, params);
      // A part of a page shows no form again
      const isPart = input.headers['hx-request'] !== undefined;
      const draft = onlyLooks || isPart ? undefined : await kit.drafts.take(cookies, session, path);
      const data = await page.load({ ...asked, typed: draft?.fields });
      const kept = draft && { action: draft.action, fields: draft.fields, alert: t.form.draft };
      const form = formFor(formSecret(session), kept);
      return shownPage(kit, page, { ...asked, data, form }, input.headers, draft && [draft.forget]);
    },
  });

/** What a form was for is not there any more, or was never of this store. */
const GONE = 404;
/** What was typed names something that is not there: the page is. */
const WRONG = 422;

interface Posting extends Omit<FormOf, 'of'> {
  readonly page: AnyPage;
  readonly actionOf: (fields: Given) => AnyAction;
  /** Another service does its work, and counts it once. */
  readonly isOwners?: boolean;
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

interface Again {
  readonly viewer: Viewer;
  readonly params: Params;
  readonly fields: Given | undefined;
}

const askedAgain = (kit: WebKit, { query: Query }: AnyPage, { viewer, params, fields }: Again): Asked<unknown> => ({
  ...askedBy(kit, { caller: viewer, params, query: Query ? new Query() : {} }),
  typed: typedIn(fields),
});

const formAgain = ({ session }: Viewer, fields: Given = {}, more: Partial<FormState> = {}): FormState =>
  formFor(formSecret(session), { action: fields.action as string | undefined, fields: typedIn(fields), ...more });

/** What they lack for the page of a form: who may send that may not always open the page. */
const lacking = ({ ability }: AnyPage, { caller }: Viewer): Need | undefined =>
  abilitiesOf(ability).find((need) => !caller.abilities.has(need));

const demandPage = (page: AnyPage, viewer: Viewer): void => {
  const need = lacking(page, viewer);
  if (need !== undefined) throw refusals.abilityMissing(need);
};

/** The page of a form that only looked something up, or has made `more` that is shown this once. */
const lookedUp = async (kit: WebKit, page: AnyPage, again: Again, headers: Headers, more?: object): Promise<Unkept> => {
  demandPage(page, again.viewer);
  const asked = askedAgain(kit, page, again);
  const loaded = await page.load(asked);
  const data = more ? { ...(loaded as object), ...more } : loaded;
  const shown = { ...asked, data, form: formAgain(again.viewer, again.fields) };
  return new Unkept(shownPage(kit, page, shown, headers));
};

/** The same page again, with what was typed and what is wrong with it. */
const cameBack =
  (kit: WebKit, { page, secretFields, isOwners, mostBytes, fileAction, actionOf }: Posting) =>
  async (failure: AnyFailure, asked: RefusedRequest) => {
    const { caller, request, status } = asked;
    // Of a file that is too large nothing was read, the inputs beside it neither
    const isUnread = failure.kind === 'tooLarge' && fileAction !== undefined;
    const given = isUnread ? { fields: { action: fileAction } } : asked.given;
    const viewer = caller as Viewer | undefined;
    const isMissing = missingAt(failure) !== undefined;
    const params = (request.params ?? {}) as Params;
    const isAway = isOwners === true && AWAY.has(failure.kind);
    const isTold = isMissing || isAway || TOLD.has(failure.kind) || isForeign(failure);
    // Without its fields there is nothing to show again
    if (!viewer || !given || !isTold || lacking(page, viewer) !== undefined)
      return refusedAt(kit, page, { secretFields, page: placed(page.get, params) })(failure, asked);
    const again = askedAgain(kit, page, { viewer, params, fields: given.fields as Given });
    const shown = await dataOf(page, again);
    if (!shown) return refusedAt(kit, page)(new NotFound('Page not found'), { ...asked, status: GONE });
    const fields = given.fields as Given;
    const conflicts = { ...(mostBytes !== undefined && FILE_REFUSED), ...page.conflicts };
    const wrong = wrongOf(failure, again.t, { ...page, conflicts, typedAt: movedBack(actionOf, fields) });
    const form = formAgain(viewer, fields, { ...wrong, ...keyAgain(failure, fields, isAway) });
    const reply = shownPage(kit, page, { ...again, ...shown, form }, request.headers);
    return new Reply(reply.value, { ...reply.options, status: isMissing ? WRONG : status });
  };

interface Sent extends Incoming {
  readonly body: Given;
  readonly files?: readonly Upload[];
  readonly once: Once<Transaction>;
}

/** Beside the file there is room for the other inputs. */
const FORM_MARGIN = 64 * 1024;

const filesOf = ({ mostBytes }: Posting): object =>
  mostBytes === undefined ? {} : { files: { file: { maxBytes: mostBytes } }, formLimit: mostBytes + FORM_MARGIN };

const postEndpoint = (kit: WebKit, posting: Posting): Endpoint =>
  pageEndpoint({
    ...FORM,
    post: posting.post,
    summary: `The forms of ${posting.page.get}`,
    guard: `page:${posting.ability}`,
    ...(posting.page.params && { params: posting.page.params }),
    ...(!posting.isOwners && { idempotency: 'optional', keyField: '_idem' }),
    secretFields: [...FORM.secretFields, ...(posting.secretFields ?? [])],
    ...filesOf(posting),
    ...(posting.rate && { rate: posting.rate }),
    refused: cameBack(kit, posting),
    handle: async (input: Sent) => {
      const { viewer, params, t } = askedBy(kit, input);
      const { body: fields, files = [], once } = input;
      if (!isCsrfToken(formSecret(viewer.session), fields._csrf)) throw foreignForm();
      const { body: dto, reads = (typed) => typed, looks, before, run, done, shows } = posting.actionOf(fields);
      const typed = typedIn(fields);
      if (looks?.(typed)) return lookedUp(kit, posting.page, { viewer, params, fields }, input.headers);
      const body = dto ? readForm(dto, reads(typed)) : {};
      const key = typeof fields._idem === 'string' ? fields._idem : uuidv7();
      const given = { viewer, params, body, key, files };
      // Whoever may not open the page would never see what is shown this once
      if (shows) demandPage(posting.page, viewer);
      const by = { secret: formSecret(viewer.session), key };
      let shown: object | undefined;
      const work = async (tx: Transaction, ready?: unknown) => {
        const result = await run({ ...given, tx, ready });
        shown = shows?.(result);
        return onward(kit, viewer, done(result, { t, params }), shown && kit.made.sealed(by, shown));
      };
      // A form of another service's is given no transaction, and asks for none (`OwnersAction`)
      if (posting.isOwners) return work(undefined as unknown as Transaction);
      let ready: unknown;
      const next = await afterRunning(() =>
        once((tx) => work(tx, ready), before && (async () => void (ready = await before(given)))),
      );
      shown ??= kit.made.of(next.answer, by);
      const again = { viewer, params, fields: undefined };
      return shown ? lookedUp(kit, posting.page, again, input.headers, shown) : withoutMade(next);
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
  /** Bytes of the file that goes along as `file`; undefined: none does. */
  readonly mostBytes?: number;
  /** Where the API has a limit for it, too. */
  readonly rate?: Endpoint['rate'];
  /** Which of several actions it goes along with: what a file that is too large is told at. */
  readonly fileAction?: string;
}

const posts =
  ({ of, ...form }: FormOf, actionOf: Posting['actionOf'], isOwners = false): Pages =>
  (kit) => [postEndpoint(kit, { ...form, actionOf, isOwners, page: of.definition as AnyPage })];

/** The one form of a page. */
export const form = <B extends object, R, P = undefined>(definition: FormOf & Action<B, R, P>): Pages =>
  posts(definition, () => definition as unknown as AnyAction);

/** The one form of a page whose work another service does. It carries an id by which that service counts it once. */
export const ownersForm = <B extends object, R>(definition: FormOf & OwnersAction<B, R>): Pages =>
  posts(definition, () => definition as unknown as AnyAction, true);

/** One action, for the list of `actions`; its types follow from its body. */
export const action = <B extends object, R, P = undefined>(definition: Action<B, R, P>): AnyAction =>
  definition as unknown as AnyAction;

/** Who takes a file says with which action: of one that is too large nothing is read, its action neither. */
type FileOf = { readonly mostBytes?: never } | Required<Pick<FormOf, 'mostBytes' | 'fileAction'>>;
type Actions = Omit<FormOf, 'mostBytes'> & FileOf & { readonly on: Readonly<Record<string, AnyAction>> };

const chosenOf =
  (on: Actions['on']): Posting['actionOf'] =>
  ({ action: given }) => {
    const name = typeof given === 'string' ? (given.split('.', 1)[0] ?? '') : '';
    const known = Object.hasOwn(on, name) ? on[name] : undefined;
    if (known) return known;
    const message = `action must be one of ${Object.keys(on).join(', ')}`;
    throw new InvalidInput([{ field: 'action', tag: 'oneOf', message }]);
  };

/** The forms of a page that post to one address; the field `action` says which was sent, and behind a dot of which row. */
export const actions = ({ on, ...definition }: Actions): Pages => posts(definition, chosenOf(on));

/** The same where another service does the work: each of them has the same end however often it is sent. */
export const ownersActions = ({ on, ...definition }: Actions): Pages => posts(definition, chosenOf(on), true);

/** One action, for the list of `ownersActions`. */
export const ownersAction = <B extends object, R>(definition: OwnersAction<B, R>): AnyAction =>
  definition as unknown as AnyAction;
