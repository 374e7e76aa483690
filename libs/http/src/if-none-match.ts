const opaque = (etag: string): string => etag.trim().replace(/^W\//, '');

/** Whether `If-None-Match` names this validator; compared weakly, `"x"` is `W/"x"` (RFC 9110 section 13.1.2). */
export const namesEtag = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((one) => opaque(one) === opaque(etag) || one.trim() === '*') ?? false;
