import { setImmediate as turn } from 'node:timers/promises';
import type { SecretBox } from '@platform/auth';
import type { Database, Feed, PageCursor } from '@platform/data';
import { InvalidInput } from '@platform/errors';
import type { Upload } from '@platform/http';
import { uuidv7 } from '@platform/runtime';
import type { Caller } from '../../../abilities';
import { audited, type Writer } from '../../../by';
import { demandDigital } from '../terms/public';
import { keyColumns } from './key.seal';
import { checkedKeys, keysIn } from './key.text';
import type { KeysAdded, KeysBody, KeysQuery, LicenseKey } from './keys.dto';
import { ADD, keyListing } from './keys.sql';

/** After so many keys whoever else is served has a turn. */
const AT_ONCE = 500;

interface Parts {
  readonly database: Database;
  readonly cursors: PageCursor;
  readonly box: SecretBox;
}

const neither = (): InvalidInput =>
  new InvalidInput([{ field: 'keys', tag: 'required_without', message: 'keys or a file is required, not both' }]);

const given = ({ keys }: KeysBody, upload: Upload | undefined): Promise<string[]> | string[] => {
  if ((keys === undefined) === (upload === undefined)) throw neither();
  return upload
    ? keysIn(upload.path)
    : checkedKeys(keys ?? [], (at) => ({ field: `keys[${at}]`, name: `keys[${at}]` }));
};

/** Licence keys of digital products. They are sealed, and known again by their hash; nobody but their buyer reads one. */
export class KeysService {
  constructor(private readonly parts: Parts) {}

  /** Adds those that the product has not. Throws `NotFound`, and `InvalidInput` without a key in it. */
  async add(by: Writer, productId: string, body: KeysBody, upload: Upload | undefined): Promise<KeysAdded> {
    const { database } = this.parts;
    const { storeId, at } = by;
    await demandDigital(database, storeId, productId);
    const keys = await given(body, upload);
    const rows = await this.sealed(storeId, productId, keys);
    const columns = [rows.map(({ id }) => id), rows.map(({ key_enc }) => key_enc)];
    const known = [rows.map(({ key_hash }) => key_hash), rows.map(({ last4 }) => last4)];
    return database.tx(async (tx) => {
      // Whoever makes another kind of it meanwhile waits
      await demandDigital(tx, storeId, productId, 'FOR SHARE');
      const { length: added } = await tx.query(ADD, [storeId, productId, ...columns, ...known, at]);
      const after = { keys: added };
      if (added > 0) await audited(tx, by, { action: 'digital.write', type: 'product', id: productId, after });
      return { added, duplicates: keys.length - added };
    });
  }

  /** The newest first. Whoever does not see every customer is not told whose a key is. Throws `NotFound`. */
  async list({ storeId, sight }: Caller, product: string, query: KeysQuery): Promise<Feed<LicenseKey>> {
    const { database, cursors } = this.parts;
    await demandDigital(database, storeId, product);
    const feed = await keyListing.feed(database, storeId, { ...query, product }, cursors);
    return sight ? { ...feed, rows: feed.rows.map((row) => ({ ...row, order: null })) } : feed;
  }

  private async sealed(storeId: string, productId: string, keys: readonly string[]) {
    const rows = [];
    for (const key of new Set(keys)) {
      const id = uuidv7();
      rows.push({ id, ...keyColumns(this.parts.box, { storeId, id, productId }, key) });
      if (rows.length % AT_ONCE === 0) await turn();
    }
    return rows;
  }
}
