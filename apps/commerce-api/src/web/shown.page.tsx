import type { AnyFailure } from '@platform/errors';
import { rendered, Reply, type Page, type Redirect, type RefusedRequest } from '@platform/http';
import type { ComponentChildren, VNode } from 'preact';
import { failurePage, toSignIn, type OfForm } from './failure.page';
import type { WebKit } from './kit';
import type { PageDefinition, Shown } from './page.types';
import { pageHeaders } from './policy';
import { abilitiesOf } from './session.guard';
import { flashOf } from './sessions/flash';
import { Around, Document } from './ui/document';
import { Opens, Reading } from './ui/reading';
import { Shell } from './ui/shell';

export type AnyPage = PageDefinition<unknown, unknown>;
export type AnyShown = Shown<unknown, unknown>;
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** The element that htmx is to replace: its id stands behind the name of its tag. */
const targetOf = (headers: Headers): string | undefined =>
  headers['hx-request'] === undefined ? undefined : String(headers['hx-target']).split('#')[1];

/** Whether there is a page at an address that this member may open. */
const opensFor =
  ({ guardOf }: WebKit, { viewer: { caller } }: AnyShown) =>
  (path: string): boolean => {
    const guard = guardOf(path);
    if (guard === undefined || !guard.startsWith('page:')) return guard !== undefined;
    return abilitiesOf(guard).every((need) => caller.abilities.has(need));
  };

/** A part of a page as this reader sees it. */
export const shownTo = (kit: WebKit, shown: AnyShown, children: ComponentChildren): VNode => (
  <Around files={kit.assets.files}>
    <Opens.Provider value={opensFor(kit, shown)}>
      <Reading.Provider value={shown.t}>{children}</Reading.Provider>
    </Opens.Provider>
  </Around>
);

const wholePage = (kit: WebKit, page: AnyPage, shown: AnyShown, flash: string | undefined): VNode => {
  const { viewer, t, form } = shown;
  const title = page.title(shown);
  const View = page.view;
  return shownTo(
    kit,
    shown,
    <Document
      lang={t.locale}
      title={`${title} · ${viewer.session.store_name}`}
      files={kit.assets.files}
      own={kit.assets.ownOf(page.own)}
      office={kit.assets.officeOf(page.tells)}
    >
      <Shell
        {...{ viewer, title, flash, path: page.get, csrf: form.csrf, back: page.back }}
        tools={page.tools?.(shown)}
      >
        <View {...shown} />
      </Shell>
    </Document>,
  );
};

/** The part of the page that htmx asks for, or the whole of it; `cookies` go with it. */
export const shownPage = (
  kit: WebKit,
  page: AnyPage,
  shown: AnyShown,
  headers: Headers,
  cookies: readonly string[] = [],
): Reply<Page> => {
  const { viewer } = shown;
  const own = pageHeaders(page.isSecret ? 'secret' : 'member', page.media);
  const Part = page.fragments?.[targetOf(headers) ?? ''];
  if (Part) return new Reply(rendered(shownTo(kit, shown, <Part {...shown} />)), { headers: own });
  const { session, onlyLooks } = viewer;
  const flash = onlyLooks ? undefined : flashOf(headers.cookie as string | undefined, session.secret, kit.secure);
  const all = [...cookies, ...(flash ? [flash.forget] : [])];
  return new Reply(rendered(wholePage(kit, page, shown, flash?.text)), {
    headers: { ...own, ...(all.length > 0 && { 'Set-Cookie': all }) },
  });
};

/** What a page is answered when it cannot be shown at all. */
export const refusedPage =
  (kit: WebKit, form: OfForm = {}) =>
  (failure: AnyFailure, asked: RefusedRequest): Promise<Reply<Page | Redirect>> | Reply<Page | Redirect> =>
    failure.kind === 'unauthenticated' ? toSignIn(kit, asked, form) : failurePage(kit, failure, asked);
