import type { JSX } from 'preact';
import { addressOf } from './address';
import type { ListView } from './list';
import { useReader } from './reading';

interface FeedParts {
  readonly path: string;
  readonly query: { readonly cursor?: string };
}

const SET = (query: object, { set }: ListView): boolean =>
  Object.entries(set).every(([name, value]) => (query as Readonly<Record<string, unknown>>)[name] === value);

/** Ready-made filters of a list that is read by position; the first sets nothing. */
export const FeedViews = ({ path, query, views }: FeedParts & { readonly views: readonly ListView[] }): JSX.Element => {
  const t = useReader();
  const chosen = views.findLast((view) => SET(query, view));
  return (
    <nav class="views" aria-label={t.list.views}>
      {views.map((view) => (
        <a href={addressOf({ path, query: {} }, view.set)} aria-current={view === chosen ? 'true' : undefined}>
          {view.text}
        </a>
      ))}
    </nav>
  );
};

/** The way to what comes after it, and back to its beginning. */
export const FeedPager = ({ path, query, next }: FeedParts & { readonly next: string | null }): JSX.Element | null => {
  const t = useReader();
  if (next === null && query.cursor === undefined) return null;
  const to = (cursor: string | undefined) => addressOf({ path, query: query as object }, { cursor });
  return (
    <nav class="pager" aria-label={t.list.pages}>
      {query.cursor === undefined ? null : <a href={to(undefined)}>{t.list.first}</a>}
      {next === null ? null : (
        <a href={to(next)} rel="next">
          {t.list.next}
        </a>
      )}
    </nav>
  );
};
