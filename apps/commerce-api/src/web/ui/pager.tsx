import type { ListedPage } from '@platform/data';
import { pageMeta } from '@platform/http';
import type { JSX } from 'preact';
import { addressOf, hxList, type ListParts } from './address';
import { Icon } from './icon';
import { useReader } from './reading';

interface PagerParts {
  readonly list: ListParts;
  readonly listed: ListedPage<unknown>;
  /** It stands in the element of the list, which alone is replaced. */
  readonly isPart?: true;
}

/** Which rows of how many, and the way to the others. */
export const Pager = ({ list, listed, isPart }: PagerParts): JSX.Element => {
  const t = useReader();
  const { current_page: page, last_page: last, from, to, total } = pageMeta(listed);
  const [before, after] = [page === 2 ? undefined : page - 1, page + 1].map((at) => addressOf(list, { page: at }));
  return (
    <nav class="pager" aria-label={t.list.pages}>
      <span>{t.list.of({ from: t.count(from ?? 0), to: t.count(to ?? 0), total: t.count(total) })}</span>
      {page > 1 && before !== undefined ? (
        <a href={before} rel="prev" {...(isPart && hxList(before))}>
          {t.list.previous}
        </a>
      ) : null}
      {page < last && after !== undefined ? (
        <a href={after} rel="next" {...(isPart && hxList(after))}>
          {t.list.next}
          <Icon name="chevron-right" />
        </a>
      ) : null}
    </nav>
  );
};
