import { rendered, Reply, type Page, type ReplyHeaders } from '@platform/http';
import type { ComponentChildren, JSX } from 'preact';
import type { Reader } from '../i18n/reader';
import type { WebKit } from '../kit';
import { pageHeaders } from '../policy';
import { GUEST_COOKIE } from '../session.guard';
import { setCookie } from '../sessions/cookies';
import type { Guest } from '../viewer';
import { Document } from './document';
import { Icon } from './icon';
import { Notice } from './parts';
import { Reading } from './reading';

interface NarrowParts {
  readonly title: string;
  readonly children: ComponentChildren;
}

interface NarrowDocument extends NarrowParts {
  readonly t: Reader;
  readonly files: WebKit['assets']['files'];
}

/** A whole page of one narrow column: for who has not signed in, and for what went wrong. */
export const NarrowDocument = ({ t, files, title, children }: NarrowDocument): JSX.Element => (
  <Reading.Provider value={t}>
    <Document lang={t.locale} title={title} files={files} kind="bare">
      <main id="main" class="narrow">
        <p class="narrow-brand">
          <span class="logo" aria-hidden="true">
            <Icon name="building-store" />
          </span>
          {t.app.name}
        </p>
        <div class="panel narrow-card">
          <h1>{title}</h1>
          {children}
        </div>
      </main>
    </Document>
  </Reading.Provider>
);

interface GuestPage extends NarrowParts {
  readonly guest: Guest;
  readonly t: Reader;
  readonly status?: number;
  /** What the page before wanted to be said, and the cookie that forgets it. */
  readonly flash?: { readonly text: string; readonly forget: string };
}

/** A page for somebody who has not signed in; the browser gets the secret by which its forms are checked. */
export const guestPage = (kit: WebKit, { guest, t, title, status, flash, children }: GuestPage): Reply<Page> => {
  const cookies = [
    ...(guest.isNew ? [setCookie(GUEST_COOKIE, guest.secret, { secure: kit.secure })] : []),
    ...(flash ? [flash.forget] : []),
  ];
  const cookie: ReplyHeaders = cookies.length > 0 ? { 'Set-Cookie': cookies } : {};
  const html = (
    <NarrowDocument t={t} files={kit.assets.files} title={title}>
      {flash === undefined ? null : <Notice text={flash.text} />}
      {children}
    </NarrowDocument>
  );
  return new Reply(rendered(html), { status, headers: { ...pageHeaders('secret'), ...cookie } });
};
