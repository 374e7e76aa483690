import { Reply } from '@platform/http';
import type { DtoClass } from '@platform/validation';
import { pageEndpoint } from './form.state';
import type { Pages } from './kit';
import type { PageAbility } from './session.guard';
import { refusedPage } from './shown.page';
import type { Viewer } from './viewer';

interface AskedFor<Q> {
  readonly caller: Viewer;
  readonly query: Q;
  readonly signal: AbortSignal;
}

interface FilePage<Q, Row> {
  readonly get: string;
  readonly ability: PageAbility;
  readonly query: DtoClass & (new () => Q);
  /** The columns, as the API's route of the same file declares them. */
  readonly reply: object;
  readonly load: (asked: { readonly viewer: Viewer; readonly query: Q; readonly signal: AbortSignal }) => Row;
}

/** A cookie does not keep caches on the way from what they are not told to leave alone (RFC 9111 section 3.5). */
const NOBODY_KEEPS = { 'Cache-Control': 'private, no-store' };

/** A file that a link of the back office leads to. */
export const filePage =
  <Q, Row>({ get, ability, query, reply, load }: FilePage<Q, Row>): Pages =>
  (kit) => [
    pageEndpoint({
      ...{ get, query, reply },
      summary: `The file ${get}`,
      guard: `page:${ability}`,
      refused: refusedPage(kit),
      handle: async ({ caller: viewer, query: asked, signal }: AskedFor<Q>) =>
        new Reply(await load({ viewer, query: asked, signal }), { headers: NOBODY_KEEPS }),
    }),
  ];
