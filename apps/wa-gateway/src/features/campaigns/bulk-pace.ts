import { InvalidInput } from '@platform/errors';
import { parse } from '@platform/validation';
import { Bulk } from '../messages/public';
import { defaultPace, type Pace } from './pace';

const notValid = (field: string): InvalidInput =>
  new InvalidInput([{ field, tag: 'format', message: `${field} is not valid` }]);

const objectOf = (raw: unknown): Record<string, unknown> => {
  try {
    const value: unknown = typeof raw === 'string' ? JSON.parse(raw) : raw;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    throw notValid('bulk');
  }
  throw notValid('bulk');
};

/** The range that delays are drawn from; one end alone moves the other along. Throws when they contradict each other. */
export const bulkDelays = (
  { delay_min: min, delay_max: max }: Bulk,
  prefix = '',
): Pick<Pace, 'delayMin' | 'delayMax'> => {
  const delayMin = min ?? Math.min(defaultPace.delayMin, max ?? defaultPace.delayMin);
  const delayMax = max ?? Math.max(defaultPace.delayMax, delayMin);
  if (delayMin > delayMax) throw notValid(`${prefix}delay_max`);
  return { delayMin, delayMax };
};

/** `bulk` of a single send: an object, or a JSON text of one (forms). Undefined: the send is nobody's campaign. */
export const bulkPace = (raw: unknown): Pace | undefined => {
  if (raw === undefined || raw === null || raw === '') return undefined;
  const { value, violations } = parse(Bulk, objectOf(raw));
  if (!value) throw new InvalidInput(violations.map((each) => ({ ...each, field: `bulk.${each.field}` })));
  return { ...defaultPace, ...bulkDelays(value, 'bulk.') };
};
