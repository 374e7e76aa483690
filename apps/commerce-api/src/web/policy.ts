/** What every page may load and do: nothing but our own files, and forms to ourselves. `more`: origins of pictures, and where a buyer pays. */
export const contentPolicy = (
  more: { readonly media?: readonly string[]; readonly forms?: readonly string[] } = {},
): string => {
  const media = ["'self'", ...(more.media ?? [])].join(' ');
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${media} data:`,
    `media-src ${media}`,
    "connect-src 'self'",
    "font-src 'none'",
    "manifest-src 'self'",
    "worker-src 'self'",
    `form-action ${["'self'", ...(more.forms ?? [])].join(' ')}`,
    "frame-src 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
};

/** Of every page; what has a secret in its address says that it is not to be kept and tells nobody where it was. */
export const pageHeaders = (kind: 'member' | 'secret', media?: string): Readonly<Record<string, string>> => ({
  'Content-Security-Policy': contentPolicy(media === undefined ? {} : { media: [media] }),
  'Permissions-Policy': 'camera=(self), microphone=(self)',
  'Referrer-Policy': kind === 'secret' ? 'no-referrer' : 'same-origin',
  // Not `no-store`: it would take what was typed from whoever goes back
  'Cache-Control': kind === 'secret' ? 'no-store' : 'private, no-cache',
  Vary: 'HX-Request, HX-Target',
});
