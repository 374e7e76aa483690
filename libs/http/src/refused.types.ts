import type { AnyFailure } from '@platform/errors';
import type { Upload } from './received';
import type { Page, Redirect, Reply } from './replies';
import type { RequestView } from './request-view';

/** A request that failed, as far as it was read. */
export interface RefusedRequest {
  readonly request: RequestView;
  /** What its guard found; undefined where the guard itself refused. */
  readonly caller: unknown;
  /** As they arrived; undefined where no body was read. */
  readonly given: { readonly fields: unknown; readonly files: readonly Upload[] } | undefined;
  /** Reads the body that its guard would not have read, within the endpoint's limits. */
  readonly read: () => Promise<{ readonly fields: unknown }>;
  /** That of the envelope, for a failure of this kind. */
  readonly status: number;
}

/** Shows a failure to a person. What it throws itself is answered by the envelope. */
export type ShowRefusal = (
  failure: AnyFailure,
  asked: RefusedRequest,
) => Page | Redirect | Reply<Page | Redirect> | Promise<Page | Redirect | Reply<Page | Redirect>>;
