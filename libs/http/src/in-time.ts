const LIMIT_MS = 2_000;

/** What is answered in time, in two seconds unless told otherwise; undefined when it is not, or fails. Asks at once. */
export const inTime = async <T>(ask: () => Promise<T> | T, limitMs = LIMIT_MS): Promise<T | undefined> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), limitMs);
  });
  const asked = (async () => ask())().catch(() => undefined);
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
};

/** The number of each, all asked at once, by name; one that has none, or cannot answer in time, costs no other one. */
export const numbersOf = async <Named extends { readonly name: string }>(
  all: readonly Named[],
  ask: (one: Named) => Promise<number | undefined> | number | undefined,
): Promise<Record<string, number>> => {
  const asked = all.map(async (one) => [one.name, await inTime(() => ask(one))] as const);
  const answers = await Promise.all(asked);
  return Object.fromEntries(answers.filter((entry): entry is [string, number] => entry[1] !== undefined));
};
