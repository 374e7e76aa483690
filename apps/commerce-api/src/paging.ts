import { Int } from '@platform/validation';

/** Fields of every list (design 2.1). */
export class PageQuery {
  @Int({ optional: true, min: 1, max: 1_000_000 }) page?: number;
  @Int({ optional: true, min: 1, max: 100, description: '15 unless given' }) per_page?: number;
}
