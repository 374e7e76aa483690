/** In English one of something is not said as several are; `count` is a number as it is shown. */
export const counted = (count: string, one: string, more = `${one}s`): string =>
  `${count} ${count === '1' ? one : more}`;
