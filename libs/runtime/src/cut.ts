/**
 * At most the first code points of a text. Never ends within an emoji, and holds no half of one: what is cut here can be
 * written as JSON and stored by PostgreSQL, which refuses a lone surrogate (SQLSTATE 22P02).
 */
export const cut = (text: string, codePoints: number): string => {
  let end = 0;
  for (let taken = 0; taken < codePoints && end < text.length; taken++)
    end += (text.codePointAt(end) as number) > 0xffff ? 2 : 1;
  return text.slice(0, end).replace(/\p{Surrogate}/gu, '');
};
