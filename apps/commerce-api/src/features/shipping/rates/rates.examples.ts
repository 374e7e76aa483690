import { succeeds } from '../../../examples';

const option = {
  ...{ quote_id: '0199f7a0-0000-7000-8000-000000000402', option: 'own:0199f7a0-0000-7000-8000-000000000401' },
  ...{ kind: 'flat', courier: null, service: null, name: 'Kurir toko', cost: 15_000, etd_days: null, cod: false },
};
const items = [{ sku: 'SEPATU-HITAM-42', qty: 2 }];

export const rateExamples = {
  ask: succeeds('within the city', [option], { request: { items, destination: 'Coblong, Bandung' } }),
} as const;
