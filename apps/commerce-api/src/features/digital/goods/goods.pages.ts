import type { Database, Sql } from '@platform/data';
import { Text } from '@platform/validation';
import { byOf } from '../../../by';
import type { AreaParts } from '../../../area';
import type { Reader } from '../../../web/i18n/reader';
import type { Pages } from '../../../web/kit';
import { action, actions, form, page, type FormOf } from '../../../web/page';
import type { Typed } from '../../../web/sessions/drafts';
import { Seen } from '../../../web/seen';
import { within } from '../../../web/within';
import { productTexts } from '../../catalogue/products/public';
import { FILE_LIMIT } from '../../media/uploads/public';
import type { DigitalFiles } from '../files/public';
import { KeysBody, KeysQuery, LIST_LIMIT, type KeysService } from '../keys/public';
import { DigitalChange, DigitalQuery, NewDigital } from './goods.dto';
import type { GoodsService } from './goods.service';
import { goodsTexts } from './goods.texts';
import { GoodsList, GoodsView, GoodView, type Good } from './goods.view';

type Inside = Pick<Database, 'tx'> & Sql;

export interface GoodsPageParts extends Pick<AreaParts, 'database' | 'clock'> {
  /** The services as they work in a transaction, or in those of their own. */
  readonly goods: (sql: Inside) => GoodsService;
  readonly files: (sql: Inside) => DigitalFiles;
  readonly keys: KeysService;
}

/** The form of a product. */
class DigitalEdit extends DigitalChange {
  @Seen() seen!: string;
}

class FileRemoval {
  @Text({ format: 'uuid' }) file_id!: string;
}

const WRITE = 'digital.write';
const to = (id = ''): string => `/digital-products/${id}`;

const labels = (t: Reader) => {
  const [say, product] = [goodsTexts(t), productTexts(t)];
  return {
    ...{ name: product.name, price: product.price, description: product.description, status: product.status },
    ...{ 'delivery[max_downloads]': say.times, 'delivery[valid_days]': say.days },
    ...{ media_id: say.file, file: say.file, keys: say.keys, 'keys[]': say.key },
  };
};
const conflicts = {
  too_many_files: { field: 'file', text: (t: Reader) => goodsTexts(t).tooManyFiles },
  already_attached: { field: 'file', text: (t: Reader) => goodsTexts(t).attached },
  unsupportedMedia: { field: 'file', text: (t: Reader) => goodsTexts(t).fileHint },
  tooLarge: { field: 'file', text: (t: Reader) => goodsTexts(t).fileHint },
};

const list = ({ goods, database }: GoodsPageParts) =>
  page({
    get: '/digital-products',
    ability: 'product.read',
    query: DigitalQuery,
    title: ({ t }) => t.nav.places.digital,
    load: ({ viewer: { caller }, query }) => goods(database).list(caller, query),
    view: GoodsView,
    fragments: { list: GoodsList },
    labels,
  });

const one = ({ goods, keys, database }: GoodsPageParts) =>
  page({
    get: '/digital-products/{id}',
    ability: 'product.read',
    query: KeysQuery,
    back: '/digital-products',
    title: ({ data }) => data.product.name,
    load: async ({ viewer: { caller }, params: { id = '' }, query }): Promise<Good> => {
      const product = await goods(database).read(caller, id);
      // Which keys there are is told to who may hand them out alone
      const listed = caller.abilities.has(WRITE) ? await keys.list(caller, id, query) : undefined;
      return { product, keys: listed };
    },
    view: GoodView,
    own: 'market',
    ...{ labels, conflicts },
  });

/** A box that is not ticked says no. */
const changeTyped = (typed: Typed): Typed => ({ 'delivery[needs_key]': 'false', ...typed });

/** One key a line. */
const keysTyped = ({ keys = '', ...rest }: Typed): Typed => {
  const lines = (typeof keys === 'string' ? keys : '').split(/\r\n|\r|\n/).filter((line) => line.trim() !== '');
  return { ...rest, ...(lines.length > 0 && { keys: lines }) };
};

const changes = (parts: GoodsPageParts, of: FormOf['of']): Pages => {
  const by = byOf(parts.clock);
  return actions({
    ...{ post: '/digital-products/{id}', ability: WRITE, of, mostBytes: FILE_LIMIT, fileAction: 'file' },
    on: {
      save: action({
        ...{ body: DigitalEdit, reads: changeTyped },
        run: ({ viewer, params: { id = '' }, body: { seen, ...change }, tx }) =>
          parts.goods(within(tx)).change(viewer.caller, by(viewer), id, change, seen),
        done: ({ id, name }, { t }) => ({ to: to(id), flash: productTexts(t).saved({ name }) }),
      }),
      archive: action({
        run: ({ viewer, params: { id = '' }, tx }) => parts.goods(within(tx)).archive(by(viewer), id),
        done: (_, { t }) => ({ to: to().slice(0, -1), flash: goodsTexts(t).archiveHint }),
      }),
      file: action({
        before: ({ viewer, params: { id = '' }, files }) => parts.files(parts.database).bring(by(viewer), id, files[0]),
        run: ({ viewer, params: { id = '' }, ready, tx }) =>
          parts.files(within(tx)).attach(by(viewer), id, undefined, ready),
        done: (_, { t, params }) => ({ to: to(params.id), flash: goodsTexts(t).uploaded }),
      }),
      remove: action({
        body: FileRemoval,
        run: ({ viewer, params: { id = '' }, body, tx }) =>
          parts.files(within(tx)).remove(by(viewer), id, body.file_id),
        done: (_, { t, params }) => ({ to: to(params.id), flash: goodsTexts(t).removed }),
      }),
    },
  });
};

/** What the API's digital products are to people. */
export const goodsPages = (parts: GoodsPageParts): Pages => {
  const by = byOf(parts.clock);
  const [all, single] = [list(parts), one(parts)];
  const created = form({
    ...{ post: '/digital-products', ability: WRITE, of: all },
    body: NewDigital,
    run: ({ viewer, body, tx }) => parts.goods(within(tx)).create(viewer.caller, by(viewer), body),
    done: ({ id, name }, { t }) => ({ to: to(id), flash: productTexts(t).created({ name }) }),
  });
  // In transactions of their own, as the API does it: a key that is there already is left out
  const imported = actions({
    ...{ post: '/digital-products/{id}/keys', ability: WRITE, of: single, mostBytes: LIST_LIMIT, fileAction: 'keys' },
    on: {
      keys: action({
        ...{ body: KeysBody, reads: keysTyped },
        before: ({ viewer, params: { id = '' }, body, files }) => parts.keys.add(by(viewer), id, body, files[0]),
        run: async ({ ready }) => ready,
        done: ({ added, duplicates }, { t, params }) => ({
          to: to(params.id),
          flash: goodsTexts(t).keysAdded({ added: t.count(added), duplicates: t.count(duplicates) }),
        }),
      }),
    },
  });
  return (kit) => [all, created, single, changes(parts, single), imported].flatMap((pages) => pages(kit));
};
