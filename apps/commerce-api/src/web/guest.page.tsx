import type { AnyFailure } from '@platform/errors';
import {
  Redirect,
  Reply,
  Unkept,
  type Endpoint,
  type Kept,
  type Once,
  type Page,
  type RefusedRequest,
} from '@platform/http';
import { cut } from '@platform/runtime';
import { Anything, type DtoClass } from '@platform/validation';
import type { JSX } from 'preact';
import { failurePage } from './failure.page';
import { AWAY, typedIn, wrongOf } from './form.fields';
import { afterRunning } from './form.once';
import { FORM, foreignForm, formFor, isForeign, keyAgain, pageEndpoint, readForm, type Given } from './form.state';
import { readerOf, type Reader } from './i18n/reader';
import type { Pages, WebKit } from './kit';
import type { FormState, Params } from './page.types';
import { isCsrfToken } from './sessions/csrf';
import { flashCookie, flashOf } from './sessions/flash';
import { withoutMade } from './sessions/made.secrets';
import { guestPage } from './ui/narrow.page';
import type { Guest } from './viewer';

/** Characters; store-auth stores no more. */
const USER_AGENT_LIMIT = 1024;
/** Per address; store-auth has its own limits per account. */
const RATE = { requests: 60, perSeconds: 60, by: 'address' } as const;

export interface GuestAsked {
  readonly guest: Guest;
  readonly t: Reader;
  readonly params: Params;
  /** The header. */
  readonly cookies: string | undefined;
}

export interface GuestShown<D = undefined> extends GuestAsked {
  readonly form: FormState;
  readonly query: Readonly<Record<string, string>>;
  readonly data: D;
}

export interface GuestSent<B> extends GuestAsked {
  readonly body: B;
  readonly kit: WebKit;
  readonly visitor: { readonly ip: string; readonly userAgent?: string };
}

/** Where it goes on, what the browser is to keep, and what is said there. */
interface Onward {
  readonly to: string;
  readonly cookies?: readonly string[];
  readonly flash?: string;
}

interface GuestAction<B extends object> {
  readonly body: DtoClass<B> & (new () => B);
  readonly run: (sent: GuestSent<B>) => Promise<Onward>;
}
type AnyGuestAction = GuestAction<object>;

/** What another button of a guest's form does; its types follow from its body. */
export const guestAction = <B extends object>(action: GuestAction<B>): AnyGuestAction =>
  action as unknown as AnyGuestAction;

/** A form for somebody who has not signed in. */
export interface GuestForm<B extends object, D = undefined> extends GuestAction<B> {
  readonly path: string;
  /** `buyer`: whoever has a link, signed in or not. */
  readonly guard: 'guest' | 'buyer';
  readonly title: (t: Reader) => string;
  /** What the page shows besides the form. */
  readonly load?: (asked: GuestAsked) => D | Promise<D>;
  readonly view: (shown: GuestShown<D>) => JSX.Element;
  /** It cannot be done twice, as what uses up a code: sent twice at once, both are answered what came of the first. */
  readonly isOnce?: true;
  /** Other buttons of the form, by what they send as `action`. */
  readonly others?: Readonly<Record<string, AnyGuestAction>>;
  readonly labels: (t: Reader) => Readonly<Record<string, string>>;
  /** What a failure says that is no rule of an input. */
  readonly said?: (failure: AnyFailure, t: Reader) => string | undefined;
}

interface Incoming {
  readonly caller: Guest;
  readonly params: Params;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly address: string;
  readonly body: Given;
  readonly query: Readonly<Record<string, string>>;
  readonly once?: Once<unknown>;
}

class GuestQuery {
  @Anything({ optional: true }) next?: unknown;
}

const home = (): Redirect => new Redirect('/dashboard', 303);

type AnyGuestForm = GuestForm<object, unknown>;

const MINUTE = 60;

/** What every form says that is asked too often, or whose service is away. */
const usuallySaid = (failure: AnyFailure, { failure: { tooMany, unavailable } }: Reader): string | undefined => {
  if (failure.kind === 'tooMany') return tooMany.text({ seconds: Math.ceil(failure.retryAfterSeconds ?? MINUTE) });
  return AWAY.has(failure.kind) ? unavailable.text : undefined;
};

type Showing = Omit<GuestShown<unknown>, 'data'>;

const show = async (kit: WebKit, definition: AnyGuestForm, showing: Showing, status?: number): Promise<Reply<Page>> => {
  const View = definition.view;
  const { guest, t, cookies } = showing;
  const data = await definition.load?.(showing);
  const flash = flashOf(cookies, guest.secret, kit.secure);
  const children = <View {...showing} data={data} />;
  return guestPage(kit, { guest, t, status, flash, title: definition.title(t), children });
};

const cameBack =
  (kit: WebKit, definition: AnyGuestForm) =>
  (failure: AnyFailure, asked: RefusedRequest): Promise<Reply<Page | Redirect>> | Reply<Page> => {
    const guest = asked.caller as Guest | undefined;
    if (!guest || failure.kind === 'unexpected' || failure.kind === 'gone') return failurePage(kit, failure, asked);
    const t = readerOf(guest.locale);
    const { params = {}, headers } = asked.request;
    const alert = isForeign(failure) ? undefined : (definition.said?.(failure, t) ?? usuallySaid(failure, t));
    const wrong = alert === undefined ? wrongOf(failure, t, definition) : { errors: {}, alert };
    const fields = (asked.given?.fields ?? {}) as Given;
    const form = formFor(guest.secret, { fields: typedIn(fields), ...wrong, ...keyAgain(failure, fields) });
    const shown = { guest, t, params: params as Params, cookies: headers.cookie, form, query: {} };
    return show(kit, definition, shown, asked.status);
  };

const getEndpoint = (kit: WebKit, definition: AnyGuestForm): Endpoint =>
  pageEndpoint({
    get: definition.path,
    summary: `The page ${definition.path}`,
    guard: definition.guard,
    query: GuestQuery,
    // Whoever tries links is known by their address
    ...(definition.path.includes('{') && { rate: RATE }),
    // They come from anywhere, with the marks of whoever counts them
    unknownKeys: 'ignore',
    refused: (failure: AnyFailure, asked: RefusedRequest) => failurePage(kit, failure, asked),
    handle: ({ caller: guest, params, query, headers }: Incoming) => {
      if (guest.isMember) return home();
      const t = readerOf(guest.locale);
      const form = formFor(guest.secret);
      return show(kit, definition, { guest, t, params, query, cookies: headers.cookie, form });
    },
  });

const actionOf = (definition: AnyGuestForm, { action }: Given): AnyGuestAction =>
  typeof action === 'string' && Object.hasOwn(definition.others ?? {}, action)
    ? (definition.others?.[action] as AnyGuestAction)
    : definition;

/** What was typed, and what is proved by it: not even a hash of it is kept. */
const SECRETS = [...FORM.secretFields, 'password', 'code'];
const ONCE = { idempotency: 'optional', keyField: '_idem' } as const;

const answerOf = ({ secure }: WebKit, { secret }: Guest, { to, cookies = [], flash }: Onward): Reply<Redirect> => {
  const said = flash === undefined ? [] : [flashCookie(secret, flash, secure)];
  return new Reply(new Redirect(to, 303), {
    headers: { 'Set-Cookie': [...cookies, ...said], 'Cache-Control': 'no-store' },
  });
};

/** The cookies of a sign-in are kept sealed, and for a moment: a doubled form is signed in by either of its answers. */
const answeredOnce = async (
  kit: WebKit,
  { caller: guest, body: { _idem: key }, once }: Incoming & { readonly once: Once<unknown> },
  work: () => Promise<Onward>,
): Promise<Unkept | Kept<unknown>> => {
  const by = { secret: guest.secret, key: String(key) };
  let onward: Onward = { to: '/' };
  const next = await afterRunning(() =>
    once(
      async () => new Reply(new Redirect(onward.to, 303), { headers: kit.made.sealed(by, onward) }),
      async () => void (onward = await work()),
    ),
  );
  const done = kit.made.of(next.answer, by) as Onward | undefined;
  return done ? new Unkept(answerOf(kit, guest, done)) : withoutMade(next);
};

const postEndpoint = (kit: WebKit, definition: AnyGuestForm): Endpoint =>
  pageEndpoint({
    ...FORM,
    post: definition.path,
    summary: `The form of ${definition.path}`,
    guard: definition.guard,
    rate: RATE,
    ...(definition.isOnce && ONCE),
    secretFields: SECRETS,
    refused: cameBack(kit, definition),
    handle: async (incoming: Incoming) => {
      const { caller: guest, params, headers, address, body: fields, once } = incoming;
      if (!isCsrfToken(guest.secret, fields._csrf)) throw foreignForm();
      const { body: dto, run } = actionOf(definition, fields);
      // What its link says is part of what it asks for
      const body = readForm(dto, { ...fields, ...params });
      const agent = headers['user-agent'];
      const visitor = { ip: address, userAgent: agent && cut(agent, USER_AGENT_LIMIT) };
      const sent = { guest, params, t: readerOf(guest.locale), body, kit, visitor, cookies: headers.cookie };
      if (once && run === definition.run) return answeredOnce(kit, { ...incoming, once }, () => run(sent));
      const answer = answerOf(kit, guest, await run(sent));
      return once ? new Unkept(answer) : answer;
    },
  });

/** A page with one form for who has not signed in. */
export const guestForm =
  <B extends object, D = undefined>(definition: GuestForm<B, D>): Pages =>
  (kit) => {
    const erased = definition as unknown as AnyGuestForm;
    return [getEndpoint(kit, erased), postEndpoint(kit, erased)];
  };
