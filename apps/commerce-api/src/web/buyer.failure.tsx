import type { AnyFailure } from '@platform/errors';
import { Page, Redirect, rendered, Reply, type RefusedRequest } from '@platform/http';
import { requestContext } from '@platform/runtime';
import { readerOf, type Reader } from './i18n/reader';
import type { WebKit } from './kit';
import { pageHeaders } from './policy';
import { localeOfRequest } from './session.guard';
import { ShopDocument } from './ui/shop.page';

const NOT_FOUND = 404;
/** What may be over when somebody tries again. */
const PASSING: ReadonlySet<AnyFailure['kind']> = new Set([
  ...(['tooMany', 'unavailable', 'upstreamFailed', 'upstreamTimedOut', 'unexpected', 'conflict'] as const),
]);

interface Said {
  readonly title: string;
  readonly text: string;
}

/** A failure in the words of somebody who has a link and no account. */
const saidOf = (
  failure: AnyFailure,
  { buyer, failure: { tooMany, unavailable, unexpected, foreign } }: Reader,
): Said => {
  switch (failure.kind) {
    case 'tooMany':
      return { title: tooMany.title, text: tooMany.text({ seconds: Math.ceil(failure.retryAfterSeconds ?? 60) }) };
    case 'unavailable':
    case 'upstreamFailed':
    case 'upstreamTimedOut':
      return unavailable;
    case 'unexpected':
      return { title: unexpected.title, text: unexpected.text({ id: requestContext()?.requestId ?? '' }) };
    case 'gone':
      return buyer.gone;
    case 'forbidden':
      return foreign;
    case 'conflict':
    case 'rejected':
      return buyer.changed;
    default:
      return buyer.notFound;
  }
};

/** Whoever tries a link that opens nothing learns no more than that. */
const statusOf = ({ kind }: AnyFailure, status: number): number => (kind === 'unauthenticated' ? NOT_FOUND : status);

/**
 * The address without what is wrong in its query, as after a link was cut or typed: what is left shows as much as it can. It is relative, so it
 * leads nowhere else. Undefined: nothing of the query is to blame.
 */
const withoutWrong = (
  failure: AnyFailure,
  { method, target = '' }: RefusedRequest['request'],
): `?${string}` | undefined => {
  const start = target.indexOf('?');
  if (failure.kind !== 'invalid' || method !== 'GET' || start < 0) return undefined;
  const query = new URLSearchParams(target.slice(start));
  const { size } = query;
  for (const { field } of failure.violations) query.delete(field);
  return query.size < size ? `?${query.toString()}` : undefined;
};

/** What a buyer reads in place of a page: what is the matter, and what to do. An open page that asks for a part of itself stays as it is. */
export const buyerFailure =
  (kit: WebKit) =>
  (failure: AnyFailure, { request, status }: Pick<RefusedRequest, 'request' | 'status'>): Reply<Page | Redirect> => {
    const headers = pageHeaders('secret');
    if (request.headers['hx-request'] !== undefined) return new Reply(new Page(''), { status: 204, headers });
    const rest = withoutWrong(failure, request);
    if (rest !== undefined) return new Reply(new Redirect(rest, 303), { headers });
    const t = readerOf(localeOfRequest(request));
    const { title, text } = saidOf(failure, t);
    const again = request.method === 'GET' && PASSING.has(failure.kind) ? request.target : undefined;
    const html = (
      <ShopDocument t={t} files={kit.assets.files} title={title}>
        <div class="panel narrow-card">
          <h1>{title}</h1>
          <p>{text}</p>
          {again === undefined ? null : (
            <a class="button button-main" href={again}>
              {t.buyer.again}
            </a>
          )}
        </div>
      </ShopDocument>
    );
    return new Reply(rendered(html), { status: statusOf(failure, status), headers });
  };
