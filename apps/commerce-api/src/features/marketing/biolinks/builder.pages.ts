import { Choice, Text } from '@platform/validation';
import type { AreaParts } from '../../../area';
import { byOf } from '../../../by';
import { refusals } from '../../../refusals';
import type { Reader } from '../../../web/i18n/reader';
import type { Pages } from '../../../web/kit';
import { action, actions, form, page, type FormOf } from '../../../web/page';
import type { Typed } from '../../../web/sessions/drafts';
import { Seen } from '../../../web/seen';
import { FILE_LIMIT, type MediaLibrary } from '../../media/uploads/public';
import { DaysQuery, daysOf } from '../counting/public';
import { BiolinkChange, BiolinksQuery, NewBiolink, Publishing } from './biolinks.dto';
import {
  biolinkById,
  biolinkListing,
  changeBiolink,
  createBiolink,
  deleteBiolink,
  publishBiolink,
  type StoredBiolink,
} from './biolinks.sql';
import { biolinkTexts } from './biolinks.texts';
import { BiolinkList, BiolinksView, BuilderView } from './biolinks.view';
import { BlockBody, blockKinds, type BlockKind } from './blocks.dto';
import { addBlock, changeBlock, moveBlock, removeBlock } from './blocks.sql';
import type { Building } from './builder.types';
import { blockChoices } from './choices.sql';
import { namesOfGoods } from './public.pages';
import { biolinkStatistics } from './statistics.sql';

export interface BuilderParts extends Pick<AreaParts, 'database' | 'clock'> {
  readonly pictures: Pick<MediaLibrary, 'hold' | 'hide' | 'lay' | 'enter'>;
  /** Of the shop's pages. */
  readonly publicUrl: string | undefined;
}

class BuilderQuery {
  @Choice(blockKinds, { optional: true, description: 'What is about to be added' }) add?: BlockKind;
  @Text({ optional: true, format: 'uuid', description: 'What is being changed' }) edit?: string;
}

class BlockMove {
  @Text({ format: 'uuid' }) block_id!: string;
  @Choice(['up', 'down']) step!: 'up' | 'down';
}

/** The form of a page. */
class BiolinkEdit extends BiolinkChange {
  @Seen() seen!: string;
}

/** The form of one of its blocks. */
class BlockEdit extends BlockBody {
  @Text({ format: 'uuid' }) block_id!: string;
  @Seen() seen!: string;
}
class BlockNamed {
  @Text({ format: 'uuid' }) block_id!: string;
}

const WRITE = 'marketing.write';
/** Of whoever puts a picture there, too. */
const UPLOAD = 'upload.write';
const to = (id: string): string => `/biolinks/${id}`;
type Ids = { readonly id?: string };
const idOf = ({ id = '' }: Ids): string => id;

const labels = (t: Reader) => {
  const say = biolinkTexts(t);
  return {
    ...{ title: say.title, slug: say.slug, bio: say.bio, file: say.picture, avatar_media_id: say.picture },
    ...{ 'theme[background]': say.background, 'theme[text]': say.text, 'theme[accent]': say.accent },
    ...{ 'data[title]': say.blockTitle, 'data[url]': say.url, 'data[phone]': say.phone, 'data[text]': say.message },
    ...{ 'data[product_id]': say.product, 'data[checkout_link_id]': say.checkout },
    ...{ 'data[links]': say.socials, 'data[links][][url]': say.url },
  };
};
const conflicts = {
  slug_taken: { field: 'slug', text: (t: Reader) => t.form.rules.unique({ label: biolinkTexts(t).slug }) },
  too_many_biolinks: { text: (t: Reader) => biolinkTexts(t).tooMany },
  too_many_blocks: { text: (t: Reader) => biolinkTexts(t).tooManyBlocks },
  unsupportedMedia: { field: 'file', text: (t: Reader) => biolinkTexts(t).pictureHint },
  tooLarge: { field: 'file', text: (t: Reader) => biolinkTexts(t).pictureHint },
};
const shared = { labels, conflicts };

/** Without the box the colours are those of all pages. */
const profileTyped = ({ own_colours: own, ...typed }: Typed): Typed =>
  Object.fromEntries(
    Object.entries(typed).filter(([name]) => own !== undefined || !/^theme\[(background|text|accent)\]$/.test(name)),
  );

const SOCIAL = /^data\[links\]\[(\d+)\]\[(?:network|url)\]$/;

/** A network without an address is not shown: those that have one stand without gaps. */
const blockTyped = (typed: Typed): Typed => {
  const numbers = Object.keys(typed).flatMap((name) => SOCIAL.exec(name)?.[1] ?? []);
  const given = [...new Set(numbers)].filter((nth) => (typed[`data[links][${nth}][url]`] ?? '') !== '');
  const others = Object.entries(typed).filter(([name]) => !SOCIAL.test(name));
  const links = given.flatMap((nth, at) =>
    ['network', 'url'].map((part) => [`data[links][${at}][${part}]`, typed[`data[links][${nth}][${part}]`] ?? '']),
  );
  return Object.fromEntries([...others, ...links]) as Typed;
};
/** Of a box that is not ticked the block is hidden. */
const editTyped = (typed: Typed): Typed => ({ active: 'false', ...blockTyped(typed) });

const list = ({ database }: BuilderParts) =>
  page({
    ...{ get: '/biolinks', ability: WRITE, query: BiolinksQuery, ...shared },
    title: ({ t }) => t.nav.places.biolinks,
    load: ({ viewer: { caller }, query }) => biolinkListing.page(database, caller.storeId, query),
    view: BiolinksView,
    fragments: { list: BiolinkList },
  });

const builder = ({ database, clock, publicUrl = '' }: BuilderParts) =>
  page({
    ...{ get: '/biolinks/{id}', ability: WRITE, query: BuilderQuery, back: '/biolinks', ...shared },
    title: ({ data }) => data.page.title,
    load: async ({ viewer: { caller }, params }): Promise<Building> => {
      const { storeId } = caller;
      const found = await biolinkById(database, storeId, idOf(params));
      const [names, choices, days] = await Promise.all([
        namesOfGoods(database, storeId, found.id),
        blockChoices(database, storeId),
        daysOf(database, storeId, new DaysQuery(), clock.now()),
      ]);
      const statistics = await biolinkStatistics(database, storeId, found.id, days);
      return { page: found, url: `${publicUrl}/b/${found.slug}`, names, choices, statistics };
    },
    view: BuilderView,
    own: 'market',
  });

type By = ReturnType<typeof byOf>;
type Told = { readonly t: Reader };
const saved = ({ id, title }: StoredBiolink, { t }: Told) => ({
  to: to(id),
  flash: biolinkTexts(t).saved({ name: title }),
});

const pageActions = ({ pictures }: BuilderParts, by: By) => ({
  save: action({
    ...{ body: BiolinkEdit, reads: profileTyped },
    run: ({ viewer, params, body: { seen, ...change }, tx }) =>
      changeBiolink(tx, pictures, by(viewer), [idOf(params), change, seen]),
    done: saved,
  }),
  picture: action({
    before: async ({ viewer, files }) => {
      if (!viewer.caller.abilities.has(UPLOAD)) throw refusals.abilityMissing(UPLOAD);
      return pictures.lay(by(viewer), files[0], 'logo');
    },
    run: async ({ viewer, params, ready, tx }) => {
      const { id } = await pictures.enter(tx, by(viewer), ready);
      return changeBiolink(tx, pictures, by(viewer), [idOf(params), { avatar_media_id: id }]);
    },
    done: saved,
  }),
  no_picture: action({
    run: ({ viewer, params, tx }) => changeBiolink(tx, pictures, by(viewer), [idOf(params), { avatar_media_id: null }]),
    done: saved,
  }),
  publish: action({
    body: Publishing,
    run: ({ viewer, params, body, tx }) => publishBiolink(tx, by(viewer), idOf(params), body.published),
    done: ({ id, title: name, published }, { t }) => {
      const say = biolinkTexts(t);
      return { to: to(id), flash: published ? say.nowPublished({ name }) : say.nowHidden({ name }) };
    },
  }),
  delete: action({
    run: ({ viewer, params, tx }) => deleteBiolink(tx, pictures, by(viewer), idOf(params)),
    done: (_, { t }) => ({ to: '/biolinks', flash: biolinkTexts(t).removed }),
  }),
});

const blockActions = (by: By) => {
  const done = (_: unknown, { t, params }: Told & { readonly params: Ids }) => ({
    to: to(idOf(params)),
    flash: biolinkTexts(t).blockSaved,
  });
  return {
    add: action({
      ...{ body: BlockBody, reads: blockTyped, done },
      run: ({ viewer, params, body, tx }) => addBlock(tx, by(viewer), idOf(params), body),
    }),
    block: action({
      ...{ body: BlockEdit, reads: editTyped, done },
      run: ({ viewer, params, body: { block_id: linkId, seen, ...body }, tx }) =>
        changeBlock(tx, by(viewer), { id: idOf(params), linkId, seen }, body),
    }),
    move: action({
      body: BlockMove,
      run: ({ viewer, params, body: { block_id: linkId, step }, tx }) =>
        moveBlock(tx, by(viewer), { id: idOf(params), linkId }, step === 'up' ? -1 : 1),
      done: (_, { params }) => ({ to: to(idOf(params)) }),
    }),
    remove: action({
      body: BlockNamed,
      run: ({ viewer, params, body, tx }) => removeBlock(tx, by(viewer), { id: idOf(params), linkId: body.block_id }),
      done: (_, { t, params }) => ({ to: to(idOf(params)), flash: biolinkTexts(t).blockRemoved }),
    }),
  };
};

const changes = (parts: BuilderParts, of: FormOf['of']): Pages => {
  const by = byOf(parts.clock);
  return actions({
    ...{ post: '/biolinks/{id}', ability: WRITE, of, mostBytes: FILE_LIMIT, fileAction: 'picture' },
    on: { ...pageActions(parts, by), ...blockActions(by) },
  });
};

/** Where the API's pages of links are made. */
export const builderPages = (parts: BuilderParts): Pages => {
  const by = byOf(parts.clock);
  const [all, one] = [list(parts), builder(parts)];
  const created = form({
    ...{ post: '/biolinks', ability: WRITE, of: all },
    body: NewBiolink,
    run: ({ viewer, body, tx }) => createBiolink(tx, parts.pictures, by(viewer), body),
    done: ({ id, title }, { t }) => ({ to: to(id), flash: biolinkTexts(t).created({ name: title }) }),
  });
  return (kit) => [all, created, one, changes(parts, one)].flatMap((pages) => pages(kit));
};
