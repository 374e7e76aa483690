import type { ServerResponse } from 'node:http';

const namesIn = (header: number | string | readonly string[] | undefined): string[] =>
  header === undefined
    ? []
    : String(header)
        .split(',')
        .map((name) => name.trim())
        .filter(Boolean);

/**
 * Adds to what an answer varies by (RFC 9110 section 12.5.5): each name once, in any case, and `*` alone, which says it all. What
 * was said before stays, or a cache shows one origin's answer to another.
 */
export const addVary = (response: ServerResponse, more: string | readonly string[]): void => {
  const names = new Map<string, string>();
  for (const name of [...namesIn(response.getHeader('Vary')), ...namesIn(more)])
    if (!names.has(name.toLowerCase())) names.set(name.toLowerCase(), name);
  response.setHeader('Vary', names.has('*') ? '*' : [...names.values()].join(', '));
};
