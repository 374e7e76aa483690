import type { ServerResponse } from 'node:http';

const namesIn = (header: number | string | readonly string[] | undefined): string[] =>
  header === undefined
    ? []
    : String(header)
        .split(',')
        .map((name) => name.trim())
        .filter(Boolean);

/**
 * Adds to an answer's Vary header (RFC 9110 section 12.5.5): each name once, in any case, and `*` alone, which covers all.
 * Earlier names stay, or a cache would show one origin's answer to another.
 */
export const addVary = (response: ServerResponse, more: string | readonly string[]): void => {
  const names = new Map<string, string>();
  for (const name of [...namesIn(response.getHeader('Vary')), ...namesIn(more)])
    if (!names.has(name.toLowerCase())) names.set(name.toLowerCase(), name);
  response.setHeader('Vary', names.has('*') ? '*' : [...names.values()].join(', '));
};
