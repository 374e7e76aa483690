import type { StockPort } from './commerce.client';

export interface StockSubject {
  readonly stock: StockPort;
  /** Something that S1 has in stock. */
  readonly item: { readonly sku: string; readonly stock: number };
}

/** What this service relies on at commerce-api; runs on the fake here, and in tools/stack on the service itself. */
export const stockContract = (subjectOf: () => StockSubject): void => {
  it('commerce-api answers in the order of the lines, sums lines of one item, and has no stock of unknown ones', async () => {
    const { stock, item } = subjectOf();
    const known = { product_id: expect.any(String), variant_id: expect.any(String), ...item };
    const unknown = { product_id: null, variant_id: null, sku: 'NO-SUCH', qty: 1, stock: 0, available: false };
    const lines = [
      { sku: item.sku, qty: 1 },
      { sku: 'NO-SUCH', qty: 1 },
      { sku: item.sku, qty: item.stock },
    ];
    expect(await stock.ask({ storeId: 'S1', lines })).toEqual({
      rows: [{ ...known, qty: 1, available: false }, unknown, { ...known, qty: item.stock, available: false }],
      allAvailable: false,
    });
  });

  it('commerce-api reports all_available when every line is', async () => {
    const { stock, item } = subjectOf();
    const { rows, allAvailable } = await stock.ask({ storeId: 'S1', lines: [{ sku: item.sku, qty: item.stock }] });
    expect([rows.map(({ available }) => available), allAvailable]).toEqual([[true], true]);
  });

  it('commerce-api shows a store nothing of the stock of another', async () => {
    const { stock, item } = subjectOf();
    const { rows } = await stock.ask({ storeId: 'S9', lines: [{ sku: item.sku, qty: 1 }] });
    expect(rows).toEqual([{ product_id: null, variant_id: null, sku: item.sku, qty: 1, stock: 0, available: false }]);
  });
};
