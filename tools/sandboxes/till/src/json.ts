import type { Json } from './till.types';

export const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const recordAt = (row: Json, key: string): Json => (isRecord(row[key]) ? row[key] : {});

/** A text that is not empty, or a number as text. */
export const textAt = (row: Json, key: string): string | undefined => {
  const value = row[key];
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
};

export const numberAt = (row: Json, key: string): number | undefined => {
  const value = Number(row[key] ?? Number.NaN);
  return Number.isFinite(value) ? value : undefined;
};

/** The object of a JSON text; undefined for anything else. */
export const jsonObject = (raw: Buffer): Json | undefined => {
  try {
    const value = JSON.parse(raw.toString('utf8')) as unknown;
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
};
