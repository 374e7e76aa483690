import type { Sql } from '@platform/data';
import { expressTypes, type ExpressType } from './outbound.dto';

export interface Template {
  readonly type: ExpressType;
  readonly text: string;
  readonly media: { readonly url?: string; readonly filename?: string } | null;
}

const PLACEHOLDER = /\{\{\s*([\w.-]{1,64})\s*\}\}/g;

/** The text with every `{{key}}` replaced; one without a value becomes empty (design 3.4). */
export const fillPlaceholders = (text: string, values: Readonly<Record<string, unknown>>): string =>
  text.replace(PLACEHOLDER, (_, key: string) => {
    const value = Object.hasOwn(values, key) ? values[key] : undefined;
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  });

const isExpressType = (type: string): type is ExpressType => expressTypes.some((known) => known === type);

/** The store's templates, which commerce-api pushes. */
export class TemplateRepository {
  constructor(private readonly sql: Sql) {}

  /** Undefined when there is none, or it is switched off. */
  async find(storeId: string, id: string): Promise<Template | undefined> {
    const [row] = await this.sql.prepared<{ type: string; isi: string; media: Template['media'] }>(
      'template_find',
      'SELECT type, isi, media FROM templates WHERE store_id = $1 AND id = $2 AND aktif',
      [storeId, id],
    );
    if (!row) return undefined;
    return { type: isExpressType(row.type) ? row.type : 'chat', text: row.isi, media: row.media };
  }

  async customerName(storeId: string, nohp: string): Promise<string | null> {
    const [row] = await this.sql.prepared<{ nama: string | null }>(
      'template_customer',
      'SELECT nama FROM customers WHERE store_id = $1 AND nohp = $2',
      [storeId, nohp],
    );
    return row?.nama ?? null;
  }
}
