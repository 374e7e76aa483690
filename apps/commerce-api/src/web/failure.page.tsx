import type { AnyFailure } from '@platform/errors';
import { Page, Redirect, rendered, Reply, type RefusedRequest, type RequestView } from '@platform/http';
import { requestContext } from '@platform/runtime';
import { typedIn } from './form.fields';
import { isForeign } from './form.state';
import { readerOf, type Reader } from './i18n/reader';
import { NotAMember } from '../refusals';
import type { WebKit } from './kit';
import { pageHeaders } from './policy';
import { localeOfRequest, secretOf } from './session.guard';
import type { Draft } from './sessions/drafts';
import { isSafe } from './sessions/origin';
import { NarrowDocument } from './ui/narrow.page';

export interface Said {
  readonly title: string;
  readonly text?: string;
  /** A store is closed to them: they still have an account, and perhaps another store. */
  readonly isClosed?: boolean;
}

const secondsOf = (failure: AnyFailure): number =>
  'retryAfterSeconds' in failure && failure.retryAfterSeconds !== undefined ? Math.ceil(failure.retryAfterSeconds) : 60;

const forbidden = (
  failure: AnyFailure,
  { failure: { foreign, suspended, outside, forbidden: refused } }: Reader,
): Said => {
  if (isForeign(failure)) return foreign;
  if (failure.code === 'store_suspended') return { ...suspended, isClosed: true };
  if (failure instanceof NotAMember) return { ...outside, isClosed: true };
  const { ability } = (failure.details ?? {}) as { readonly ability?: string };
  return { title: refused.title, ...(ability !== undefined && { text: refused.text({ ability }) }) };
};

/** A failure in words, and what to do. */
export const saidOf = (failure: AnyFailure, t: Reader): Said => {
  const { notFound, invalid, tooMany, unavailable, unexpected, conflict, unpaid } = t.failure;
  switch (failure.kind) {
    case 'forbidden':
    case 'unauthenticated':
      return forbidden(failure, t);
    case 'notFound':
      return notFound;
    case 'gone':
      return t.buyer.gone;
    case 'malformed':
    case 'invalid':
    case 'rejected':
    case 'tooLarge':
    case 'unsupportedMedia':
      return invalid;
    case 'conflict':
      return conflict;
    case 'paymentRequired':
      return { ...unpaid, isClosed: true };
    case 'tooMany':
      return { title: tooMany.title, text: tooMany.text({ seconds: secondsOf(failure) }) };
    case 'unavailable':
    case 'upstreamFailed':
    case 'upstreamTimedOut':
      return unavailable;
    case 'unexpected':
      return { title: unexpected.title, text: unexpected.text({ id: requestContext()?.requestId ?? '' }) };
  }
};

const wordsPage = (kit: WebKit, t: Reader, { title, text, isClosed }: Said): Page =>
  rendered(
    <NarrowDocument t={t} files={kit.assets.files} title={title}>
      {text === undefined ? null : <p>{text}</p>}
      <a class="button button-main" href="/dashboard">
        {t.failure.home}
      </a>
      {isClosed ? (
        <a class="button" href="/profile">
          {t.failure.account}
        </a>
      ) : null}
    </NarrowDocument>,
  );

/** htmx has asked for a part of a page: the browser goes to the whole of it, where there is room to say what is the matter. */
const insteadOfPart = (request: RequestView, to: string): Reply<Page> | undefined =>
  request.headers['hx-request'] === undefined
    ? undefined
    : new Reply(new Page(''), { headers: { 'HX-Redirect': to, 'Cache-Control': 'no-store' } });

/** What takes the place of a page that cannot be shown: what is the matter, and the way on. */
export const failurePage = (
  kit: WebKit,
  failure: AnyFailure,
  { request, status }: Pick<RefusedRequest, 'request' | 'status'>,
): Reply<Page> => {
  const t = readerOf(localeOfRequest(request));
  const headers = pageHeaders('member');
  return (
    insteadOfPart(request, backTo(request)) ?? new Reply(wordsPage(kit, t, saidOf(failure, t)), { status, headers })
  );
};

/** For an address that is no page. A program gets the API's answer. */
export const unknownPage =
  (kit: WebKit) =>
  (request: RequestView): Reply<Page> | undefined => {
    const isApi = request.path.startsWith('/api/') || request.path.startsWith('/internal/');
    if (isApi || !request.headers.accept?.includes('text/html')) return undefined;
    const t = readerOf(localeOfRequest(request));
    return new Reply(wordsPage(kit, t, t.failure.notFound), { status: 404, headers: pageHeaders('member') });
  };

/** What is known of a form: its inputs that nobody keeps, and the address of its page, which is not always the one that it was sent from. */
export interface OfForm {
  readonly secretFields?: readonly string[];
  readonly page?: string;
}

/** A form stays on its page, as that was filtered; a page is the one that was asked for. */
const backTo = ({ method, target = '/', headers }: RequestView, page?: string): string => {
  if (isSafe(method)) return target;
  const from = URL.canParse(headers.referer ?? '') ? new URL(headers.referer ?? '') : undefined;
  if (from?.host !== headers.host) return page ?? '/dashboard';
  return page === undefined || from?.pathname === page ? `${from?.pathname}${from?.search}` : page;
};

/**
 * To the sign-in, and from there back. A form that was sent when the session had ended is kept for whoever the browser belonged to; it is
 * never sent by itself.
 */
export const toSignIn = async (
  kit: WebKit,
  asked: RefusedRequest,
  { secretFields = [], page }: OfForm,
): Promise<Reply<Page | Redirect>> => {
  const { request, read } = asked;
  const owner = isSafe(request.method) ? undefined : await kit.sessions.formerOwner(secretOf(request));
  const next = backTo(request, page);
  const to = `/login?next=${encodeURIComponent(next)}`;
  const headers: Record<string, string | string[]> = { 'Cache-Control': 'no-store' };
  if (owner) {
    const { fields } = await read().catch(() => ({ fields: {} }));
    const cookie = await kit.drafts.keep(owner, next.split('?')[0] ?? next, draftOf(fields, secretFields));
    if (cookie !== undefined) headers['Set-Cookie'] = [cookie];
  }
  return insteadOfPart(request, to) ?? new Reply(new Redirect(to, 303), { headers });
};

/** What is kept of a form: what was typed, and in which form of its page. */
export const draftOf = (fields: unknown, secretFields: readonly string[]): Draft => {
  const typed = Object.entries(typedIn(fields)).filter(([name]) => !secretFields.includes(name));
  const { action } = fields as { readonly action?: unknown };
  return { action: typeof action === 'string' ? action : undefined, fields: Object.fromEntries(typed) };
};
