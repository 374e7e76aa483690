import { Int } from '@platform/validation';

/** Fields of every list (design 2.1). */
export class PageQuery {
  @Int({ optional: true, words: true, min: 1, max: 1_000_000 }) page?: number;
  @Int({ optional: true, words: true, min: 1, max: 100, description: '15 unless given' }) per_page?: number;
}

export class PageMeta {
  @Int() current_page!: number;
  @Int() per_page!: number;
  @Int() total!: number;
  @Int() last_page!: number;
  @Int({ nullable: true }) from!: number | null;
  @Int({ nullable: true }) to!: number | null;
}

export interface Page {
  readonly page: number;
  readonly perPage: number;
}

export const pageOf = ({ page = 1, per_page: perPage = 15 }: PageQuery): Page => ({ page, perPage });

/** Where a page of `rows` rows stands among `total`. */
export const pageMeta = ({ page, perPage }: Page, rows: number, total: number): PageMeta => {
  const before = (page - 1) * perPage;
  return {
    current_page: page,
    per_page: perPage,
    total,
    last_page: Math.max(1, Math.ceil(total / perPage)),
    from: rows === 0 ? null : before + 1,
    to: rows === 0 ? null : before + rows,
  };
};
