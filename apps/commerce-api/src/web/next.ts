const HOME = '/dashboard';

/** Where a sign-in, or a switch of the store, leads: a path of ours. Browsers read `//` and `/\` as another host, and skip control characters; a header holds ASCII alone. */
export const safeNext = (next: unknown): string => {
  if (typeof next !== 'string' || next.length > 2048) return HOME;
  return /^\/(?![/\\])[\x20-\x5b\x5d-\x7e]*$/.test(next) ? next : HOME;
};
