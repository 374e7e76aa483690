import { Text } from '@platform/validation';
import type { AreaParts } from '../../../area';
import { byOf } from '../../../by';
import { idTyped } from '../../../web/form.fields';
import type { Reader } from '../../../web/i18n/reader';
import type { Pages } from '../../../web/kit';
import { action, actions, page } from '../../../web/page';
import type { Typed } from '../../../web/sessions/drafts';
import { linesOnSale } from '../../sales/carts/public';
import { looksForGoods, pickedTyped, pickingFor, pickingTexts, type PickingParts } from '../../sales/picking/public';
import { openWarehouses } from '../warehouses/public';
import { NewTransfer, Receipt, TransfersQuery, type Transfer } from './transfers.dto';
import { receiveTransfer, sendTransfer, transferById, transferListing } from './transfers.sql';
import { transferTexts } from './transfers.texts';
import { TransferList, TransfersView } from './transfers.view';

/** How lines of a transfer are called. */
const LINES = 'lines';

class TransfersPageQuery extends TransfersQuery {
  @Text({ optional: true, format: 'uuid', description: 'The one that is being taken in' }) id?: string;
}

class ReceiptEdit extends Receipt {
  @Text({ format: 'uuid' }) id!: string;
}

const labels = (t: Reader) => {
  const [say, picking] = [transferTexts(t), pickingTexts(t)];
  return {
    ...{ from_id: say.from, to_id: say.to, lines: say.goods, 'lines[][variant_id]': say.goods },
    ...{ 'lines[][qty]': picking.quantity, 'lines[][received]': say.received },
  };
};
const conflicts = {
  below_reserved: { field: LINES, text: (t: Reader) => transferTexts(t).belowReserved },
  invalid_transition: { text: (t: Reader) => transferTexts(t).notOnItsWay },
};

type Parts = Pick<AreaParts, 'database' | 'clock'> & Pick<PickingParts, 'goods'>;

/** What a transfer sent, by names. */
const named = async ({ database }: Parts, storeId: string, transfer: Transfer) => {
  const known = await linesOnSale(database, storeId, transfer.lines);
  return { transfer, names: known.map((line) => line?.name) };
};

const listPage = (parts: Parts) =>
  page({
    ...{ get: '/transfers', ability: 'stock.write', query: TransfersPageQuery, labels, conflicts },
    title: ({ t }) => t.nav.places.transfers,
    load: async ({ viewer: { caller }, query: { id: asked, ...query }, typed = {} }) => {
      const { database } = parts;
      const { storeId } = caller;
      const id = asked ?? idTyped(typed);
      const [listed, warehouses, picking] = await Promise.all([
        transferListing.page(database, storeId, query),
        openWarehouses(database)(storeId),
        pickingFor(parts, caller, typed, { list: LINES }),
      ]);
      const one = id === undefined ? undefined : await named(parts, storeId, await transferById(database, storeId, id));
      return { ...listed, warehouses, picking, one };
    },
    view: TransfersView,
    fragments: { list: TransferList },
  });

const transferTyped = (typed: Typed): Typed => pickedTyped(typed, LINES);

/** Stock on its way from one warehouse to another. */
export const transferPages = (parts: Parts): Pages => {
  const by = byOf(parts.clock);
  const all = listPage(parts);
  const to = '/transfers';
  const posted = actions({
    ...{ post: to, ability: 'stock.write', of: all },
    on: {
      create: action({
        ...{ body: NewTransfer, reads: transferTyped, looks: looksForGoods },
        run: ({ viewer, body, tx }) => sendTransfer(tx, by(viewer), body),
        done: (_, { t }) => ({ to, flash: transferTexts(t).sentOff }),
      }),
      receive: action({
        body: ReceiptEdit,
        run: ({ viewer, body: { id, ...receipt }, tx }) => receiveTransfer(tx, by(viewer), id, receipt),
        done: (_, { t }) => ({ to, flash: transferTexts(t).taken }),
      }),
    },
  });
  return (kit) => [all, posted].flatMap((pages) => pages(kit));
};
