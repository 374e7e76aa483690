import { Choice, Text } from '@platform/validation';
import type { Reader } from '../web/i18n/reader';
import type { Pages } from '../web/kit';
import { action, actions, page } from '../web/page';
import type { PageAbility } from '../web/session.guard';
import { importModes, type ImportMode } from './import.dto';
import { FILE_LIMIT } from './import.endpoints';
import { importTexts } from './import.texts';
import { importView, JobPanel, type ImportData } from './import.view';
import type { Importer } from './importer';

class ImportQuery {
  @Text({ optional: true, format: 'uuid', description: 'The import that is looked at' }) job?: string;
}

class FileEdit {
  @Choice(importModes) mode!: ImportMode;
}

class CommitEdit {
  @Text({ format: 'uuid' }) job_id!: string;
}

const rules = (t: Reader) => importTexts(t).fileRules;

/** Where files of one kind are read, and who may. */
export interface ImportPagePlace {
  readonly area: 'products' | 'contacts';
  readonly ability: PageAbility;
}

const labels = (t: Reader) => {
  const say = importTexts(t);
  return { file: say.file, mode: say.mode };
};

/** A file is read into a preview, which is then saved; both is watched on one page. */
export const importPages = (importer: Importer, { area, ability }: ImportPagePlace): Pages => {
  const path = `/${area}/import`;
  const one = page({
    ...{ get: path, ability, back: `/${area}`, query: ImportQuery, labels, rules },
    title: ({ t }) => importTexts(t).titles[area],
    load: async ({ viewer: { caller }, query: { job } }): Promise<ImportData> => ({
      path,
      columns: importer.kind.columns,
      job: job === undefined ? undefined : await importer.find(caller.storeId, job),
    }),
    view: importView,
    fragments: { job: JobPanel },
  });
  const to = (id: string): string => `${path}?job=${id}`;
  // Each in transactions of its own, as the API does it: a preview takes the place of the one before, and a commit finds the first
  const posted = actions({
    ...{ post: path, ability, of: one, mostBytes: FILE_LIMIT, fileAction: 'read' },
    on: {
      read: action({
        body: FileEdit,
        before: ({ viewer, body, files }) => importer.start(viewer.caller, files[0], body),
        run: async ({ ready }) => ready,
        done: ({ id }) => ({ to: to(id) }),
      }),
      commit: action({
        body: CommitEdit,
        before: ({ viewer, body }) => importer.start(viewer.caller, undefined, { ...body, commit: true }),
        run: async ({ ready }) => ready,
        done: ({ id }, { t }) => ({ to: to(id), flash: importTexts(t).started }),
      }),
    },
  });
  return (kit) => [one, posted].flatMap((pages) => pages(kit));
};
