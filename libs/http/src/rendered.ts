import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { Page } from './replies';

/**
 * A page from its components. Texts and attributes are escaped; `dangerouslySetInnerHTML` is the only way around that.
 * TSX of the workspace compiles to preact (`.swcrc`, `tsconfig.base.json`).
 */
export const rendered = (page: VNode): Page => new Page(`<!doctype html>${renderToString(page)}`);

/** A part of a page, for whoever has the rest of it. */
export const fragment = (part: VNode): string => renderToString(part);
