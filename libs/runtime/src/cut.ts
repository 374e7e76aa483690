/**
 * The first `most` characters (code points) of a text, without lone halves of surrogate pairs: PostgreSQL stores none, and an
 * emoji is never cut in two.
 */
export const cut = (text: string, most: number): string => {
  let start = '';
  let left = most;
  for (const character of text) {
    if (left <= 0) break;
    if (/^\p{Surrogate}$/u.test(character)) continue;
    start += character;
    left -= 1;
  }
  return start;
};
