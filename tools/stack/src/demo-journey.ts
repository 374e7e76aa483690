import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { says } from './demo-lines';
import { makeJourney } from './shop-journey';
import type { StackFile } from './stack-file';
import { shown } from './workspace';

/** A shop from its registration to its first receipt, told step by step; the receipt is kept as a file. */
export const playShop = async ({ services, sandboxes }: StackFile, folder: string): Promise<void> => {
  const place = { commerce: services['commerce-api'] ?? '', mailbox: sandboxes.mail ?? '' };
  const { order, receipt, owner } = await makeJourney(place, says);
  const directory = join(folder, 'demo');
  mkdirSync(directory, { recursive: true });
  const file = join(directory, `${order.receipt_no}-${order.number}.pdf`);
  writeFileSync(file, receipt);
  says('', `  it lies in ${shown(file)}`);
  says('', `  ${owner.email} signs in with the password ${owner.password}`);
  console.log('\nDone: registered, sold by a link, paid, sent, delivered, and a receipt for it.');
};
