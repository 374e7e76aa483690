const HALVES = /\p{Surrogate}/gu;
/** How JSON writes U+0000 and the halves of pairs; a text that only looks like one costs a needless pass, no more. */
const ESCAPED = /\\u(0000|d[89a-f])/;

const storableText = (text: string): string => text.replaceAll('\0', '').replace(HALVES, '\uFFFD');

const isHolder = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !ArrayBuffer.isView(value);

/** Two names that become equal share one member. */
const renamed = (holder: Record<string, unknown>, name: string): string => {
  const kept = storableText(name);
  if (kept === name) return name;
  const value = holder[name];
  delete holder[name];
  Object.defineProperty(holder, kept, { value, enumerable: true, writable: true, configurable: true });
  return kept;
};

/**
 * The same payload with every text in it, names included, as PostgreSQL can store it: U+0000 goes, half of a surrogate pair
 * becomes U+FFFD. For whole payloads that were just received: objects and lists are changed in place, at any depth; pass
 * nothing that is shared.
 */
export const storable = <T>(payload: T): T => {
  const root: Record<string, unknown> = { payload };
  const waiting = [root];
  for (let holder = waiting.pop(); holder; holder = waiting.pop())
    for (const name of Object.keys(holder)) {
      const kept = renamed(holder, name);
      const value = holder[kept];
      if (typeof value === 'string') holder[kept] = storableText(value);
      else if (isHolder(value)) waiting.push(value);
    }
  return root.payload as T;
};

/** The value as JSON that PostgreSQL takes, whatever its texts hold. */
export const storableJson = (value: unknown): string => {
  const text = JSON.stringify(value);
  return ESCAPED.test(text) ? JSON.stringify(storable(JSON.parse(text))) : text;
};
