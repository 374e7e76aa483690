import type { proto } from 'baileys';

export type Content = proto.IMessage;

/** What only wraps the message proper. */
const WRAPPERS = [
  'ephemeralMessage',
  'viewOnceMessage',
  'viewOnceMessageV2',
  'viewOnceMessageV2Extension',
  'documentWithCaptionMessage',
  'editedMessage',
  'associatedChildMessage',
  'groupStatusMessage',
  'groupStatusMessageV2',
] as const satisfies readonly (keyof Content)[];

/** Travels beside the content and is none. */
const COMPANIONS: ReadonlySet<string> = new Set([
  'messageContextInfo',
  'senderKeyDistributionMessage',
  'fastRatchetKeySenderKeyDistributionMessage',
]);
const DEEPEST = 5;

/** The message inside its wrappers. */
export const unwrapped = (message: Content): Content => {
  let content = message;
  for (let depth = 0; depth < DEEPEST; depth++) {
    const inner = WRAPPERS.map((name) => content[name]?.message).find((wrapped) => wrapped != null);
    if (!inner) break;
    content = inner;
  }
  return content;
};

/** Name of the field that says what the message is; nothing for one that only carries keys. */
export const contentType = (content: Content): keyof Content | undefined =>
  (Object.keys(content) as (keyof Content)[]).find((name) => content[name] != null && !COMPANIONS.has(name));

const isLong = (value: object): value is { toNumber(): number } =>
  'toNumber' in value && typeof value.toNumber === 'function';

/** As it can be shown: numbers as numbers, nothing that is bytes (keys, hashes, thumbnails). */
export const shown = (value: unknown): unknown => {
  if (value == null || value instanceof Uint8Array) return undefined;
  if (Array.isArray(value)) return value.length > 0 ? value.map(shown) : undefined;
  if (typeof value !== 'object') return value;
  if (isLong(value)) return value.toNumber();
  const fields = Object.entries(value).flatMap(([name, field]) => {
    const text = COMPANIONS.has(name) ? undefined : shown(field);
    return text === undefined ? [] : [[name, text]];
  });
  return fields.length > 0 ? Object.fromEntries(fields) : undefined;
};

/** A number that may be a Long. */
export const numberOf = (value: unknown): number | undefined => {
  if (value == null) return undefined;
  return typeof value === 'object' && isLong(value) ? value.toNumber() : Number(value);
};
