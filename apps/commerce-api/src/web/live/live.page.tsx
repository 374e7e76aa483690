import { Gone } from '@platform/errors';
import { Binary, fragment, Reply } from '@platform/http';
import { formFor } from '../form.state';
import type { WebKit } from '../kit';
import type { Asked, Shown } from '../page.types';
import { formSecret } from '../sessions/web.sessions';
import { shownTo, type AnyPage, type Headers } from '../shown.page';

const HEADERS = { 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no', Vary: 'Accept' };
const TYPE = 'text/event-stream';

export const asksForEvents = ({ accept }: Headers): boolean => accept === TYPE;

interface Parts {
  readonly kit: WebKit;
  readonly page: AnyPage;
  readonly asked: Asked<unknown>;
  readonly headers: Headers;
}

/**
 * The events of a page, at the page's own address and behind its guard, which is asked again and again: whoever may not open the page any
 * more is told nothing more. What the page throws before its first event is a refusal like any other.
 */
export const livePage = async ({ kit, page, asked, headers }: Parts): Promise<Reply<Binary>> => {
  let { viewer } = asked;
  const { storeId, actor } = viewer.caller;
  const stream = kit.streams.begin({ storeId, userId: actor }, async () => {
    const now = await kit.stillOf(page.ability, page.get, headers);
    // Their other tab has taken the session there; this one shows the store before
    if (now.caller.storeId !== storeId) throw new Gone('The session has gone to another store');
    viewer = now;
  });
  const shown = { ...asked, data: undefined, form: formFor(formSecret(viewer.session)) } satisfies Shown<
    unknown,
    unknown
  >;
  try {
    await page.live?.({
      ...{ asked, stream, viewer: () => viewer },
      html: (part) => fragment(shownTo(kit, shown, part)),
      form: () => formFor(formSecret(viewer.session)),
    });
  } catch (failure) {
    stream.abandon();
    throw failure;
  }
  return new Reply(new Binary(stream.body, TYPE), { headers: HEADERS });
};
