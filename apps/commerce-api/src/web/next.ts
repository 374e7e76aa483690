const HOME = '/dashboard';

/** Where a sign-in leads: a path of ours. Browsers read `//` and `/\` as another host, and skip control characters. */
export const safeNext = (next: unknown): string => {
  if (typeof next !== 'string' || next.length > 2048) return HOME;
  return /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(next) ? next : HOME;
};
