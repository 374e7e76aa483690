export type Json = Record<string, unknown>;

export const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const recordAt = (row: Json, key: string): Json => (isRecord(row[key]) ? row[key] : {});

/** A non-empty text, or a number as text; otherwise undefined. */
export const textAt = (row: Json, key: string): string | undefined => {
  const value = row[key];
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
};

export const numberAt = (row: Json, key: string): number | undefined => {
  const value = Number(row[key] ?? Number.NaN);
  return Number.isFinite(value) ? value : undefined;
};

export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};
