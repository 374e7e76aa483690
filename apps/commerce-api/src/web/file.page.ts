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

/** A file that a link of the back office leads to. */
export const filePage =
  <Q, Row>({ get, ability, query, reply, load }: FilePage<Q, Row>): Pages =>
  (kit) => [
    pageEndpoint({
      ...{ get, query, reply },
      summary: `The file ${get}`,
      guard: `page:${ability}`,
      refused: refusedPage(kit),
      handle: ({ caller: viewer, query: asked, signal }: AskedFor<Q>) => load({ viewer, query: asked, signal }),
    }),
  ];
