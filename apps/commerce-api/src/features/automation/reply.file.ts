import type { Sql } from '@platform/data';
import { InvalidInput, NotFound } from '@platform/errors';
import { refusals } from '../../refusals';
import type { By } from '../../by';
import type { MediaLibrary } from '../media/uploads/public';

export type Files = Pick<MediaLibrary, 'hold' | 'hide' | 'urlOf'>;

/** SQL of the file of a row `r`: its key and its type, both null without one. */
export const FILE_COLUMNS = `f.key AS file_key, f.mime AS file_mime`;
export const WITH_FILE = `LEFT JOIN media f ON f.store_id = r.store_id AND f.id = r.media_id`;

export interface FileColumns {
  readonly file_key: string | null;
  readonly file_mime: string | null;
}

const USES = ['image', 'video', 'audio'] as const;
/** As WhatsApp knows files. */
const useOf = (mime: string): (typeof USES)[number] | 'document' =>
  USES.find((use) => mime.startsWith(`${use}/`)) ?? 'document';

/** Where everybody finds the file, under an address that stays, and what it is. */
export const fileOf = (
  files: Pick<Files, 'urlOf'>,
  storeId: string,
  { file_key: key, file_mime: mime }: FileColumns,
) => (key === null ? undefined : { url: files.urlOf(storeId, key), type: useOf(mime ?? '') });

const held = async (tx: Sql, files: Files, storeId: string, id: string, field: string): Promise<void> => {
  const none = refusals.notHere(field, 'is not a public file of this store');
  const media = await files.hold(tx, storeId, id).catch((failure: unknown) => {
    throw failure instanceof NotFound ? none : failure;
  });
  if (media.url === null) throw none;
  if (!URL.canParse(media.url)) {
    const message = `${field} needs the setting PUBLIC_URL: chats show files by their full address`;
    throw new InvalidInput([{ field, tag: 'setting', message }]);
  }
};

/** The file that a row names now instead of another one stays as long as it does. Throws `NotFound` for one that not everybody may see, and `InvalidInput` where there is no address to see it. */
export const swapFile = async (
  tx: Sql,
  files: Files,
  by: By,
  { before, after, field }: { readonly before: string | null; readonly after: string | null; readonly field: string },
): Promise<void> => {
  if (before === after) return;
  if (after !== null) await held(tx, files, by.storeId, after, field);
  if (before !== null) await files.hide(tx, by, before);
};
