import type { Database } from '@platform/data';
import type { byOf } from '../../../by';
import type { Reader } from '../../../web/i18n/reader';
import type { Pages } from '../../../web/kit';
import { action, actions, page } from '../../../web/page';
import {
  changeReply,
  createReply,
  deleteReply,
  QuickRepliesQuery,
  QuickReplyBody,
  replyListing,
  type ReplyParts,
} from '../../automation/replies/public';
import {
  addTemplate,
  changeTemplate,
  deleteTemplate,
  messageEvents,
  NewTemplate,
  templateListing,
  TemplatesQuery,
} from '../templates/public';
import { templateTexts } from './templates.texts';
import { Named, ReplyEdit, TemplateEdit, templateTyped, type EventWords } from './templates.types';
import { PATH } from './templates.forms';
import { TemplatesView } from './templates.view';

export interface TemplatePageParts extends ReplyParts {
  readonly database: Database;
  readonly by: ReturnType<typeof byOf>;
}

const ability = 'template.write';

const labels = (t: Reader) => {
  const say = templateTexts(t);
  return { body: say.body, active: say.use, shortcut: say.shortcut };
};
const conflicts = {
  event_taken: { field: 'active', text: (t: Reader) => templateTexts(t).taken },
  too_many_templates: { text: (t: Reader) => templateTexts(t).tooMany },
  shortcut_taken: {
    field: 'shortcut',
    text: (t: Reader) => t.form.rules.unique({ label: templateTexts(t).shortcut }),
  },
  too_many_replies: { text: (t: Reader) => templateTexts(t).tooManyReplies },
};

/** All that the shop has of an event, and a place for its first words where it has none. */
const wordsOf = async (database: Database, storeId: string): Promise<EventWords[]> => {
  const all = Object.assign(new TemplatesQuery(), { per_page: 100 });
  const { rows } = await templateListing.page(database, storeId, all);
  return messageEvents.flatMap((event): EventWords[] => {
    const own = rows.filter((template) => template.event === event);
    return own.length === 0 ? [{ event, template: undefined }] : own.map((template) => ({ event, template }));
  });
};

const list = ({ database }: TemplatePageParts) =>
  page({
    get: PATH,
    ability,
    query: QuickRepliesQuery,
    title: ({ t }) => t.nav.places.templates,
    load: async ({ viewer: { caller }, query }) => {
      const [words, replies] = await Promise.all([
        wordsOf(database, caller.storeId),
        replyListing.page(database, caller.storeId, query),
      ]);
      return { words, replies };
    },
    view: TemplatesView,
    ...{ labels, conflicts },
  });

const said =
  (text: (say: ReturnType<typeof templateTexts>) => string) =>
  (_: unknown, { t }: { readonly t: Reader }) => ({
    to: PATH,
    flash: text(templateTexts(t)),
  });

/** Of what is sent by itself. */
const wordActions = ({ by, copies }: TemplatePageParts) => ({
  write: action({
    ...{ body: NewTemplate, reads: templateTyped },
    run: ({ viewer, body, tx }) => addTemplate(tx, copies, by(viewer), body),
    done: said((say) => say.saved),
  }),
  save: action({
    ...{ body: TemplateEdit, reads: templateTyped },
    run: ({ viewer, body: { id, seen, ...change }, tx }) => changeTemplate(tx, copies, by(viewer), [id, change, seen]),
    done: said((say) => say.saved),
  }),
  remove: action({
    body: Named,
    run: ({ viewer, body: { id }, tx }) => deleteTemplate(tx, copies, by(viewer), id),
    done: said((say) => say.removed),
  }),
});

const replyActions = (parts: TemplatePageParts) => ({
  add: action({
    body: QuickReplyBody,
    run: ({ viewer, body, tx }) => createReply(tx, parts, parts.by(viewer), body),
    done: ({ shortcut: name }, { t }) => ({ to: PATH, flash: templateTexts(t).added({ name }) }),
  }),
  change: action({
    body: ReplyEdit,
    run: ({ viewer, body: { id, seen, ...change }, tx }) =>
      changeReply(tx, parts, parts.by(viewer), [id, change, seen]),
    done: ({ shortcut: name }, { t }) => ({ to: PATH, flash: templateTexts(t).changed({ name }) }),
  }),
  forget: action({
    body: Named,
    run: ({ viewer, body: { id }, tx }) => deleteReply(tx, parts, parts.by(viewer), id),
    done: said((say) => say.forgotten),
  }),
});

/** In which words the shop writes: by itself when something happens, and by a shortcut in a chat. */
export const templatesPages = (parts: TemplatePageParts): Pages => {
  const all = list(parts);
  const on = { ...wordActions(parts), ...replyActions(parts) };
  const changed = actions({ ...{ post: PATH, ability, of: all }, on });
  return (kit) => [all, changed].flatMap((pages) => pages(kit));
};
