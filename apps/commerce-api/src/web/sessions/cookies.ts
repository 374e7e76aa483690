/** A cookie of the request; undefined when it is not there. Of two with one name the first counts (RFC 6265 section 5.4). */
export const cookieOf = (header: string | undefined, name: string): string | undefined => {
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return undefined;
};

export interface CookieOptions {
  /** Sent over TLS only. */
  readonly secure: boolean;
  /** Seconds it lives; 0: it is taken away; undefined: as long as the browser is open. */
  readonly maxAge?: number;
}

/** A cookie of this host alone that no script reads and no foreign form brings along. */
export const setCookie = (name: string, value: string, { secure, maxAge }: CookieOptions): string =>
  [
    `${name}=${value}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Lax',
    ...(secure ? ['Secure'] : []),
    ...(maxAge === undefined ? [] : [`Max-Age=${maxAge}`]),
  ].join('; ');
