import type { Database, ListedPage, Sql } from '@platform/data';
import { NotFound } from '@platform/errors';
import type { Caller } from '../../../abilities';
import { audited, type Writer } from '../../../by';
import {
  newProductFaults,
  productById,
  type ProductRow,
  type ProductsRepository,
  type ProductWriteService,
} from '../../catalogue/products/public';
import { demandSeen } from '../../../web/seen';
import { refuse, violation } from '../../catalogue/variants/public';
import { filesOf, type FileViewer } from '../files/public';
import type { DeliveryInput, DigitalChange, DigitalProduct, DigitalQuery, DigitalRow, NewDigital } from './goods.dto';
import { lockDigital } from '../terms/public';
import { besidesOf, keyCounts, saveTerms, type Beside } from './goods.sql';

/** Where keys are what is sold, as many are available as are free. */
const withKeys = <Row extends Pick<ProductRow, 'available'>>(row: Row, free: Beside['free']): Row =>
  free === null ? row : { ...row, available: free };

const refuseOtherKind = (kind: string | undefined): void => {
  if (kind !== undefined && kind !== 'digital') refuse([violation('kind', 'eq', 'must be digital here')]);
};

/** Copies of a file do not run out: stock of them is kept only where somebody asks for it. */
const untracked = (product: NewDigital): NewDigital => {
  const { price, variants, ...rest } = product;
  const all = variants ?? (price === undefined ? undefined : [{ price }]);
  return { ...rest, kind: 'digital', ...(all && { variants: all.map((each) => ({ track_stock: false, ...each })) }) };
};

/** What its form shows. */
export const editableOf = ({ name, description, status, delivery }: DigitalProduct): object => ({
  ...{ name, description, status, delivery },
});

export interface GoodsParts {
  readonly database: Pick<Database, 'tx'> & Sql;
  readonly products: ProductWriteService;
  readonly listed: ProductsRepository;
  readonly files: FileViewer;
}

/** Digital products: those of the catalogue with what is handed over, and on which terms. */
export class GoodsService {
  constructor(private readonly parts: GoodsParts) {}

  async list({ storeId }: Caller, query: DigitalQuery): Promise<ListedPage<DigitalRow>> {
    const page = await this.parts.listed.products(storeId, { ...query, kind: 'digital' });
    const besides = await besidesOf(
      this.parts.database,
      storeId,
      page.rows.map(({ id }) => id),
    );
    const rows = page.rows.flatMap((row) => {
      const beside = besides.get(row.id);
      // One that has become another kind meanwhile is none
      return beside ? [{ ...withKeys(row, beside.free), delivery: beside.delivery, files: beside.files }] : [];
    });
    return { ...page, rows };
  }

  /** Throws `NotFound`, also for what is not digital. */
  async read(caller: Caller, id: string, sql: Sql = this.parts.database): Promise<DigitalProduct> {
    const { storeId } = caller;
    const beside = await this.beside(sql, storeId, id);
    const keys = await keyCounts(sql, storeId, id);
    const product = withKeys(await productById(sql, storeId, id), beside.free === null ? null : keys.free);
    const files = await filesOf(sql, storeId, id);
    return {
      ...{ ...product, delivery: beside.delivery, keys },
      files: files.map((file) => this.parts.files.shownTo(caller, file)),
    };
  }

  /** Throws `slug_taken`, `sku_taken`, `NotFound` and `InvalidInput` as for every product. */
  create(caller: Caller, by: Writer, { delivery = {}, ...product }: NewDigital): Promise<DigitalProduct> {
    refuseOtherKind(product.kind);
    refuse(newProductFaults({ ...product, kind: 'digital' }));
    return this.parts.database.tx(async (tx) => {
      const { id } = await this.parts.products.createIn(tx, by, untracked(product));
      await this.saveTerms(tx, by, id, delivery);
      return this.read(caller, id, tx);
    });
  }

  /** Throws `NotFound`, `slug_taken` and `InvalidInput`; `version_conflict` when it is not what a form has `seen` any more. */
  change(
    caller: Caller,
    by: Writer,
    id: string,
    { delivery, ...change }: DigitalChange,
    seen?: string,
  ): Promise<DigitalProduct> {
    refuseOtherKind(change.kind);
    return this.parts.database.tx(async (tx) => {
      await lockDigital(tx, by.storeId, id);
      if (seen !== undefined) demandSeen(seen, editableOf(await this.read(caller, id, tx)));
      if (Object.keys(change).length > 0) await this.parts.products.changeIn(tx, by, id, change);
      if (delivery) await this.saveTerms(tx, by, id, delivery);
      return this.read(caller, id, tx);
    });
  }

  /** Whoever has bought it keeps it. Throws `NotFound`. */
  async archive(by: Writer, id: string): Promise<void> {
    await this.parts.database.tx(async (tx) => {
      await lockDigital(tx, by.storeId, id);
      await this.parts.products.changeIn(tx, by, id, { status: 'archived' });
    });
  }

  private async beside(sql: Sql, storeId: string, id: string): Promise<Beside> {
    const beside = (await besidesOf(sql, storeId, [id])).get(id.toLowerCase());
    if (beside) return beside;
    throw new NotFound('Product not found');
  }

  private async saveTerms(tx: Sql, by: Writer, id: string, terms: DeliveryInput): Promise<void> {
    const { delivery: before } = await this.beside(tx, by.storeId, id);
    await saveTerms(tx, by, id, terms);
    const { delivery: after } = await this.beside(tx, by.storeId, id);
    await audited(tx, by, { action: 'digital.write', type: 'product', id, before, after });
  }
}
