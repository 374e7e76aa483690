import { Conflict, UnsupportedMedia, type Failure } from '@platform/errors';
import { mediaTypeOfFile, type MediaType } from '@platform/http';
import type { Audience } from '../storage/public';
import type { Purpose } from './uploads.dto';

/** Pictures of people are uploaded as such alone, and reports are written here. */
export type Kept = Purpose | 'avatar' | 'report';

const MEGABYTE = 1024 * 1024;

/** Bytes of a file that comes in a form, and of any file. */
export const FILE_LIMIT = 10 * MEGABYTE;
export const LARGEST_FILE = 200 * MEGABYTE;
export const largestOf = (purpose: Purpose): number => (purpose === 'digital' ? LARGEST_FILE : FILE_LIMIT);

const PICTURE = /^image\/(jpeg|png|webp|gif)$/;
const PAPER = /^(image\/(jpeg|png|webp)|application\/pdf)$/;
/** By what the first bytes say; SVG and HTML can run scripts, and programs are nobody's goods. */
const ACCEPTED: Readonly<Record<Kept, RegExp>> = {
  product: PICTURE,
  logo: PICTURE,
  document: PAPER,
  proof: PAPER,
  avatar: /^image\/(jpeg|png|webp)$/,
  message: /^((image\/(?!svg)|audio\/|video\/)[\w.+-]+|application\/(pdf|zip))$/,
  digital: /^((image\/(?!svg)|audio\/|video\/)[\w.+-]+|text\/plain|application\/(pdf|zip|gzip|x-ole-storage))$/,
  report: /^text\/csv$/,
};
/** Served to everybody, under an address that stays. */
export const PUBLIC: readonly Kept[] = ['product', 'logo', 'message', 'avatar'];
export const audienceOf = (purpose: Kept): Audience => (PUBLIC.includes(purpose) ? 'all' : 'some');

/** These are kept for later until something has shown them; all others are there for what shows them, or for nothing. */
const LIBRARY: readonly Kept[] = ['product', 'logo', 'message'];
/** Days that a file stays after the last thing that showed it is gone: somebody may have removed it by mistake. */
const STAYS = { library: 30, other: 1 };
const DAY_MS = 86_400_000;

export const mediaRefusals = {
  wrongType: (): Failure => new UnsupportedMedia('A file of this type is not accepted here'),
  inUse: (): Failure => new Conflict('The file is in use', { code: 'in_use' }),
  arrived: (): Failure => new Conflict('The file has arrived already', { code: 'uploaded' }),
} as const;

/** Throws `UnsupportedMedia` for a type that a file of this purpose cannot have. */
export const accept = (mimetype: string, purpose: Kept): void => {
  if (!ACCEPTED[purpose].test(mimetype)) throw mediaRefusals.wrongType();
};

/** What the first bytes say that it is, whatever its name says; throws `UnsupportedMedia`. */
export const acceptedType = async (path: string, purpose: Kept): Promise<MediaType> => {
  const type = await mediaTypeOfFile(path);
  accept(type.mimetype, purpose);
  return type;
};

/** When a new file goes that nothing shows by then; null: it stays. */
export const sweptWhenNew = (purpose: Kept, at: Date): Date | null =>
  LIBRARY.includes(purpose) ? null : new Date(at.getTime() + STAYS.other * DAY_MS);

/** SQL: when a file goes that nothing shows any more, given the time as a parameter. */
export const sweptWhenHidden = (at: string): string =>
  `${at}::timestamptz + interval '1 day' * CASE WHEN purpose = ANY ('{${LIBRARY.join()}}') THEN ${STAYS.library} ELSE ${STAYS.other} END`;
