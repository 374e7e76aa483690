import type { ComponentChildren, JSX } from 'preact';
import { useContext } from 'preact/hooks';
import type { Viewer } from '../viewer';
import { Icon } from './icon';
import { initials } from './parts';
import { menuOf, type Place } from './places';
import { Opens, useReader } from './reading';

interface Holding {
  readonly viewer: Viewer;
  readonly csrf: string;
}

const Link = ({ place, path }: { readonly place: Place; readonly path: string }): JSX.Element => {
  const { nav } = useReader();
  const isHere = path === place.href || path.startsWith(`${place.href}/`);
  return (
    <a href={place.href} aria-current={isHere ? 'page' : undefined}>
      <Icon name={place.icon} />
      {nav.places[place.name]}
    </a>
  );
};

const Me = ({ viewer: { session }, csrf }: Holding): JSX.Element => {
  const t = useReader();
  const role = session.system_role === null ? session.role_name : t.roles[session.system_role];
  return (
    <div class="me">
      <a class="me-link" href="/profile">
        <span class="avatar" aria-hidden="true">
          {initials(session.name ?? '?')}
        </span>
        <span class="me-name">
          {session.name}
          <small>{role}</small>
        </span>
      </a>
      <form method="post" action="/logout">
        <input type="hidden" name="_csrf" value={csrf} />
        <button class="icon-button">
          <Icon name="logout" label={t.nav.signOut} />
        </button>
      </form>
    </div>
  );
};

const Stores = ({ viewer, csrf }: Holding): JSX.Element | null => {
  const { nav } = useReader();
  const { stores, store_id } = viewer.session;
  if (stores.every(({ id }) => id === store_id)) return null;
  return (
    <form class="stores" method="post" action="/switch-store">
      <input type="hidden" name="_csrf" value={csrf} />
      <label class="sr" for="store_id">
        {nav.switchStore}
      </label>
      <select id="store_id" name="store_id">
        {stores.map(({ id, name }) => (
          <option value={id} selected={id === store_id}>
            {name}
          </option>
        ))}
      </select>
      <button class="button">{nav.switchStore}</button>
    </form>
  );
};

interface SideParts extends Holding {
  /** Of the page, for the place that is marked in the menu. */
  readonly path: string;
  readonly menu: ReturnType<typeof menuOf>;
}

/** A bar at the side of a wide screen; on a phone it comes from below, and stands at the foot of the page in browsers without popovers. */
const Side = ({ viewer, csrf, path, menu: { home, groups } }: SideParts): JSX.Element => {
  const { app, nav } = useReader();
  const { session } = viewer;
  return (
    <aside class="side" aria-label={app.menu} id="menu" popover>
      <a class="brand" href="/dashboard">
        <span class="logo" aria-hidden="true">
          {initials(session.store_name)}
        </span>
        <span>{session.store_name}</span>
      </a>
      <nav aria-label={app.allPages}>
        <div class="group">
          <Link place={home} path={path} />
        </div>
        {groups.map(([title, places]) => (
          <div class="group">
            <h2>{nav.groups[title]}</h2>
            {places.map((place) => (
              <Link place={place} path={path} />
            ))}
          </div>
        ))}
      </nav>
      <div class="side-foot">
        <Stores viewer={viewer} csrf={csrf} />
        <Me viewer={viewer} csrf={csrf} />
      </div>
    </aside>
  );
};

const Tabs = ({ path, menu: { tabs } }: Pick<SideParts, 'path' | 'menu'>): JSX.Element => {
  const { app } = useReader();
  return (
    <nav class="tabs" aria-label={app.tabs}>
      {tabs.map((place) => (
        <Link place={place} path={path} />
      ))}
      <button type="button" popovertarget="menu">
        <Icon name="dots" />
        {app.more}
      </button>
    </nav>
  );
};

export interface ShellParts extends Omit<SideParts, 'menu'> {
  readonly title: string;
  readonly flash?: string;
  readonly back?: string;
  readonly tools?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** The number of an order, which nobody reads when it is broken. */
const IN_ONE_PIECE = /^[A-Z]{2,5}-\d{6}-\w{1,8}$/;

/** The frame of the back office. */
export const Shell = ({ title, flash, back, tools, children, ...side }: ShellParts): JSX.Element => {
  const { app, nav } = useReader();
  const opens = useContext(Opens);
  const menu = menuOf(side.viewer, opens);
  return (
    <>
      <a class="skip" href="#main">
        {app.skip}
      </a>
      <Side {...side} menu={menu} />
      <header class="top">
        {back === undefined ? null : (
          <a class="icon-button" href={opens(back) ? back : menu.home.href}>
            <Icon name="arrow-left" label={app.back} />
          </a>
        )}
        <h1 class={IN_ONE_PIECE.test(title) ? 'whole' : undefined}>{title}</h1>
        <div class="tools">
          {tools}
          <a class="icon-button" href="/notifications">
            <Icon name="bell" label={nav.notifications} />
          </a>
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        <div id="toasts" role="status">
          {flash === undefined ? null : <p class="toast">{flash}</p>}
        </div>
        {children}
      </main>
      <Tabs path={side.path} menu={menu} />
    </>
  );
};
