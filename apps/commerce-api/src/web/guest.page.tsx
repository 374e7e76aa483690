import type { AnyFailure } from '@platform/errors';
import { Redirect, Reply, type Endpoint, type Page, type RefusedRequest } from '@platform/http';
import { cut } from '@platform/runtime';
import { Anything, type DtoClass } from '@platform/validation';
import type { JSX } from 'preact';
import { failurePage } from './failure.page';
import { typedIn, wrongOf } from './form.fields';
import { FORM, foreignForm, formFor, isForeign, pageEndpoint, readForm, type Given } from './form.state';
import { readerOf, type Reader } from './i18n/reader';
import type { Pages, WebKit } from './kit';
import type { FormState, Params } from './page.types';
import { isCsrfToken } from './sessions/csrf';
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
}

export interface GuestShown extends GuestAsked {
  readonly form: FormState;
  readonly query: Readonly<Record<string, string>>;
}

export interface GuestSent<B> extends GuestAsked {
  readonly body: B;
  readonly kit: WebKit;
  readonly visitor: { readonly ip: string; readonly userAgent?: string };
  readonly cookies: string | undefined;
}

/** A form for somebody who has not signed in. */
export interface GuestForm<B extends object> {
  readonly path: string;
  readonly guard: 'guest';
  readonly body: DtoClass<B> & (new () => B);
  readonly title: (t: Reader) => string;
  readonly view: (shown: GuestShown) => JSX.Element;
  readonly run: (sent: GuestSent<B>) => Promise<{ readonly to: string; readonly cookies?: readonly string[] }>;
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
}

class GuestQuery {
  @Anything({ optional: true }) next?: unknown;
}

const home = (): Redirect => new Redirect('/dashboard', 303);

type AnyGuestForm = GuestForm<object>;

const show = (kit: WebKit, definition: AnyGuestForm, shown: GuestShown, status?: number): Reply<Page> => {
  const View = definition.view;
  const { guest, t } = shown;
  return guestPage(kit, { guest, t, status, title: definition.title(t), children: <View {...shown} /> });
};

const cameBack =
  (kit: WebKit, definition: AnyGuestForm) =>
  (failure: AnyFailure, asked: RefusedRequest): Reply<Page | Redirect> => {
    const guest = asked.caller as Guest | undefined;
    if (!guest || failure.kind === 'unexpected') return failurePage(kit, failure, asked);
    const t = readerOf(guest.locale);
    const params = (asked.request.params ?? {}) as Params;
    const alert = isForeign(failure) ? undefined : definition.said?.(failure, t);
    const wrong = alert === undefined ? wrongOf(failure, t, definition) : { errors: {}, alert };
    const form = formFor(guest.secret, { fields: typedIn(asked.given?.fields), ...wrong });
    return show(kit, definition, { guest, t, params, form, query: {} }, asked.status);
  };

const getEndpoint = (kit: WebKit, definition: AnyGuestForm): Endpoint =>
  pageEndpoint({
    get: definition.path,
    summary: `The page ${definition.path}`,
    guard: definition.guard,
    query: GuestQuery,
    refused: (failure: AnyFailure, asked: RefusedRequest) => failurePage(kit, failure, asked),
    handle: ({ caller: guest, params, query }: Incoming) => {
      if (guest.isMember) return home();
      const t = readerOf(guest.locale);
      return show(kit, definition, { guest, t, params, query, form: formFor(guest.secret) });
    },
  });

const postEndpoint = (kit: WebKit, definition: AnyGuestForm): Endpoint =>
  pageEndpoint({
    ...FORM,
    post: definition.path,
    summary: `The form of ${definition.path}`,
    guard: definition.guard,
    rate: RATE,
    refused: cameBack(kit, definition),
    handle: async ({ caller: guest, params, headers, address, body: fields }: Incoming) => {
      if (!isCsrfToken(guest.secret, fields._csrf)) throw foreignForm();
      const body = readForm(definition.body, fields);
      const agent = headers['user-agent'];
      const visitor = { ip: address, userAgent: agent && cut(agent, USER_AGENT_LIMIT) };
      const sent = { guest, params, t: readerOf(guest.locale), body, kit, visitor, cookies: headers.cookie };
      const { to, cookies = [] } = await definition.run(sent);
      return new Reply(new Redirect(to, 303), { headers: { 'Set-Cookie': cookies, 'Cache-Control': 'no-store' } });
    },
  });

/** A page with one form for who has not signed in. */
export const guestForm =
  <B extends object>(definition: GuestForm<B>): Pages =>
  (kit) => {
    const erased = definition as unknown as AnyGuestForm;
    return [getEndpoint(kit, erased), postEndpoint(kit, erased)];
  };
