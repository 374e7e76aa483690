import { Redirect, rendered, Reply, type Page } from '@platform/http';
import { pageEndpoint } from '../../../web/form.state';
import { failurePage } from '../../../web/failure.page';
import { readerOf } from '../../../web/i18n/reader';
import type { Pages, WebKit } from '../../../web/kit';
import { pageHeaders } from '../../../web/policy';
import { secretOf } from '../../../web/session.guard';
import { NarrowDocument } from '../../../web/ui/narrow.page';
import type { Guest } from '../../../web/viewer';
import { signInTexts } from './sign-in.texts';

interface Incoming {
  readonly caller: Guest;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

const welcome = ({ assets }: WebKit, { locale }: Guest): Reply<Page> => {
  const t = readerOf(locale);
  const { landing, submit } = signInTexts(t);
  const html = (
    <NarrowDocument t={t} files={assets.files} title={landing.title}>
      <p>{landing.text}</p>
      <a class="button button-main" href="/login">
        {submit}
      </a>
      <a class="button" href="/register">
        {landing.register}
      </a>
    </NarrowDocument>
  );
  return new Reply(rendered(html), { headers: pageHeaders('member') });
};

/** What this is, to who has not signed in; the home page to who has. */
export const landingPages: Pages = (kit) => [
  pageEndpoint({
    get: '/',
    summary: 'The page /',
    guard: 'visitor',
    refused: (failure: Parameters<typeof failurePage>[1], asked: Parameters<typeof failurePage>[2]) =>
      failurePage(kit, failure, asked),
    handle: async ({ caller, headers }: Incoming) =>
      (await kit.sessions.open(secretOf({ headers }))) ? new Redirect('/dashboard', 303) : welcome(kit, caller),
  }),
];
