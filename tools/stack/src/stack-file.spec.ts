import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoShop } from './demo-shop';
import { portsFrom } from './ports';
import { loadAdsKeys, loadSecrets } from './secrets';
import { describeStack, readStackFile, removeStackFile, writeStackFile } from './stack-file';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stack-file-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('stack.json has the shape of architecture section 7, for its owner only, and goes', () => {
  const places = { warehouse_id: 'w', area_id: '50006', bank_account_id: 'b' };
  const [secrets, keys] = [loadSecrets(folder), loadAdsKeys(folder)];
  writeStackFile(folder, {
    ...describeStack(portsFrom(4000), demoShop(secrets, keys), keys, places),
    pids: { 'ads-api': 17 },
  });
  expect(readStackFile(folder)).toEqual({
    services: {
      'store-auth': 'http://127.0.0.1:4001',
      'chat-backend': 'http://127.0.0.1:4002',
      'bot-engine': 'http://127.0.0.1:4003',
      'wa-gateway': 'http://127.0.0.1:4004',
      'commerce-api': 'http://127.0.0.1:4005',
      'ads-api': 'http://127.0.0.1:4006',
    },
    sandboxes: {
      ...{ graph: 'http://127.0.0.1:4101', llm: 'http://127.0.0.1:4102', mail: 'http://127.0.0.1:4107' },
      ...{ doku: 'http://127.0.0.1:4103', xendit: 'http://127.0.0.1:4104', duitku: 'http://127.0.0.1:4105' },
      ...{ rajaongkir: 'http://127.0.0.1:4106', push: 'http://127.0.0.1:4100' },
    },
    pids: { 'ads-api': 17 },
    demo: {
      store_id: 'S1',
      team: '3',
      instance: 'dev1',
      owner: { email: 'owner@toko-nusa.example', password: secrets['owner password'] },
      agents: [{ email: 'rina@toko-nusa.example', password: secrets['agent password'] }],
      customer: { nohp: '6281234567890' },
      commerce: { slug: 'toko-nusa', ...places },
      ads: {
        client_key: secrets['ads client key'],
        private_key_file: join(folder, 'ads/private.pem'),
        public_key_file: join(folder, 'ads/public.pem'),
        credit_key_file: join(folder, 'ads/credit-private.pem'),
      },
    },
  });
  expect(statSync(join(folder, 'stack.json')).mode & 0o777).toBe(0o600);
  removeStackFile(folder);
  expect(readStackFile(folder)).toBeUndefined();
});
