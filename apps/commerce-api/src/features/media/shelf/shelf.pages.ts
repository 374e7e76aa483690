import type { Sql } from '@platform/data';
import { Text } from '@platform/validation';
import type { byOf } from '../../../by';
import type { Reader } from '../../../web/i18n/reader';
import type { Pages } from '../../../web/kit';
import { action, actions, page } from '../../../web/page';
import type { PrivateFiles } from '../links/public';
import { FILE_LIMIT, hiddenFrom, MediaQuery, UploadBody, type Media, type MediaLibrary } from '../uploads/public';
import { shelfTexts } from './shelf.texts';
import { ShelfList, ShelfView } from './shelf.view';

interface Parts {
  readonly database: Sql;
  readonly library: MediaLibrary;
  readonly privately: Pick<PrivateFiles, 'shownTo'>;
  readonly by: ReturnType<typeof byOf>;
  /** Of the pages; empty: addresses are paths. */
  readonly publicUrl: string;
}

class FileNamed {
  @Text({ format: 'uuid' }) id!: string;
}

const labels = (t: Reader) => {
  const say = shelfTexts(t);
  return { purpose: say.purpose, file: say.file };
};
const conflicts = {
  unsupportedMedia: { field: 'file', text: (t: Reader) => shelfTexts(t).wrongType },
  tooLarge: { field: 'file', text: (t: Reader) => shelfTexts(t).tooLarge },
  plan_limit: { field: 'file', text: (t: Reader) => shelfTexts(t).full },
  in_use: { text: (t: Reader) => shelfTexts(t).inUse },
};

/** Where a file is on our own pages; what lies elsewhere their policy does not show. */
const pathOf = ({ url }: Media, publicUrl: string): string | null =>
  url?.startsWith(`${publicUrl}/blob/`) ? url.slice(publicUrl.length) : null;

const listPage = ({ library, privately, by, publicUrl }: Parts) =>
  page({
    ...{ get: '/media', ability: 'upload.write', query: MediaQuery, labels, conflicts },
    title: ({ t }) => t.nav.places.media,
    load: async ({ viewer, query }) => {
      const { caller } = viewer;
      await library.arrivals.look(by(viewer));
      const listed = await library.list(caller.storeId, { ...query, without: hiddenFrom(caller) });
      const rows = listed.rows.map((row) => privately.shownTo(caller, row));
      return { ...listed, rows: rows.map((row) => ({ ...row, path: pathOf(row, publicUrl) })) };
    },
    view: ShelfView,
    own: 'market',
    fragments: { list: ShelfList },
  });

/** What the files of a store are to people. */
export const shelfPages = (parts: Parts): Pages => {
  const { library, by } = parts;
  const all = listPage(parts);
  const posted = actions({
    ...{ post: '/media', ability: 'upload.write', of: all, mostBytes: FILE_LIMIT, fileAction: 'upload' },
    on: {
      upload: action({
        body: UploadBody,
        before: ({ viewer, body, files }) => library.lay(by(viewer), files[0], body.purpose),
        run: ({ viewer, ready, tx }) => library.enter(tx, by(viewer), ready),
        done: ({ name }, { t }) => ({ to: '/media', flash: shelfTexts(t).uploaded({ name }) }),
      }),
      remove: action({
        body: FileNamed,
        run: ({ viewer, body, tx }) => library.drop(tx, by(viewer), body.id),
        done: (_, { t }) => ({ to: '/media', flash: shelfTexts(t).removed }),
      }),
    },
  });
  return (kit) => [all, posted].flatMap((pages) => pages(kit));
};
