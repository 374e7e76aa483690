import { uuidv7 } from '@platform/runtime';
import { expectNoSeqScan, explain } from '@platform/testing';
import { ownStore } from '../../../asked.fixture';
import { bearer, newMember, useCommerce } from '../../../commerce.fixture';
import { exportListing } from './export';

const commerce = useCommerce();
const HEAD =
  'name,slug,kind,category,description,option1_name,option1_value,option2_name,option2_value,option3_name,option3_value,' +
  'sku,barcode,price,compare_at,cost,weight_g,warehouse,stock,image_url,status';

const file = async (storeId: string, query = '', token = commerce.storeAuth.userToken({ store_id: storeId })) => {
  const { status, body } = await commerce.get(`/api/products/export?${query}`, bearer(token));
  return { status, lines: (body as string).split('\r\n') };
};

describe('the export of the catalogue', () => {
  it('has a row for every variant and warehouse, and a text that a spreadsheet would run is quoted', async () => {
    const { ask, storeId } = await ownStore(commerce, [
      { sku: '=1+1', name: 'A hat', category: 'Hats', price: 5, stock: 3 },
    ]);
    await ask('POST', '/products', {
      ...{
        name: 'Shirt',
        weight_g: 10,
        description: 'Soft, "light"',
        options: [{ name: 'Color', values: ['Red', '@Blue'] }],
      },
      variants: [
        { sku: 'S-R', price: 900_000_000_000, cost: 4, option_values: { Color: 'Red' }, barcode: '-7' },
        { sku: 'S-B', price: 8, compare_at: 9, weight_g: 20, option_values: { Color: '@Blue' } },
      ],
    });
    expect(await file(storeId)).toEqual({
      status: 200,
      lines: [
        HEAD,
        `A hat,a-hat,physical,Hats,"Ringan, untuk lari harian.",,,,,,,'=1+1,,5,,,1000,Gudang utama,3,,active`,
        `Shirt,shirt,physical,,"Soft, ""light""",Color,Red,,,,,S-R,'-7,900000000000,,4,10,,,,draft`,
        `Shirt,shirt,physical,,"Soft, ""light""",Color,'@Blue,,,,,S-B,,8,9,,20,,,,draft`,
        '',
      ],
    });
    expect((await file(storeId, 'status=active')).lines).toHaveLength(3);
    expect((await file(storeId, 'q=shirt')).lines).toHaveLength(4);
    const { token } = await newMember(commerce, storeId, 'cs');
    expect((await file(storeId, 'q=s-r', token)).lines[1]).toMatch(/,900000000000,,,10,/);
  });

  it('of a store without products is its head, whatever others sell', async () => {
    const { storeId } = await ownStore(commerce);
    await ownStore(commerce, [{ name: 'Theirs' }]);
    expect(await file(storeId)).toEqual({ status: 200, lines: [HEAD, ''] });
  });

  it('is served by indexes', async () => {
    const { rows } = exportListing.statements(uuidv7(), { status: 'active', q: 'hat' });
    expectNoSeqScan(await explain(commerce.database, rows.text, rows.values), 'variant', 'product', 'stock_level');
  });
});
