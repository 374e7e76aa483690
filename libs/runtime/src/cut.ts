/**
 * The first characters (code points) of a text. Never ends within an emoji, and holds no half of one: the result can be
 * written as JSON and stored by PostgreSQL, which refuses a lone surrogate (SQLSTATE 22P02).
 */
export const cut = (text: string, codePoints: number): string => {
  const whole = text.replace(/\p{Surrogate}/gu, '');
  if (whole.length <= codePoints) return whole;
  let end = 0;
  for (let taken = 0; taken < codePoints && end < whole.length; taken++)
    end += (whole.codePointAt(end) as number) > 0xffff ? 2 : 1;
  return whole.slice(0, end);
};

/** The same of what is bounded by `length`, which counts an emoji twice. */
export const cutToLength = (text: string, length: number): string =>
  text.slice(0, length).replace(/\p{Surrogate}/gu, '');
