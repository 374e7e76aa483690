import { Anything, Int, List, Nested, Text, type DtoClass } from '@platform/validation';

/**
 * A reply around a view that many endpoints share: what is documented (`dto`) and how the handler's value becomes it.
 * The documented class is created once per view, under a name derived from the view's, so that the document has one schema
 * wherever it is used.
 */
export class Shaped<Value> {
  constructor(
    readonly dto: DtoClass,
    /** The value inside the envelope. */
    readonly shape: (value: Value) => object,
  ) {}
}

/** Creates a class once per view: `Coupon` and `Page` give one `CouponPage`. */
const oncePerView = (suffix: string, declare: (prototype: object, view: DtoClass) => void) => {
  const made = new WeakMap<DtoClass, DtoClass>();
  return (view: DtoClass): DtoClass => {
    const known = made.get(view);
    if (known) return known;
    const dto = { [view.name + suffix]: class {} }[view.name + suffix] as DtoClass;
    declare(dto.prototype as object, view);
    made.set(view, dto);
    return dto;
  };
};

type AnyDecorator = (prototype: object, key: string) => void;
const declare = (prototype: object, key: string, decorator: unknown): void =>
  (decorator as AnyDecorator)(prototype, key);

const dataDto = oncePerView('Data', (prototype, view) => {
  declare(prototype, 'message', Text({ optional: true }));
  declare(
    prototype,
    'data',
    Nested(() => view),
  );
});

/** `{message, data}` with one view; the handler returns the view. */
export const dataOf = <View extends object>(view: DtoClass<View>, message?: string): Shaped<View> =>
  new Shaped(dataDto(view), (data) => (message === undefined ? { data } : { message, data }));

const listDto = oncePerView('List', (prototype, view) => {
  declare(prototype, 'message', Text({ optional: true }));
  declare(
    prototype,
    'data',
    List(() => view),
  );
});

/** `{message, data}` with all rows of a view, where there are never many; the handler returns the rows. */
export const listOf = <View extends object>(view: DtoClass<View>, message?: string): Shaped<readonly View[]> =>
  new Shaped(listDto(view), (data) => (message === undefined ? { data } : { message, data }));

/** Only a success message; `data` is null and the handler returns nothing. */
export class Done {
  @Text({ optional: true }) message?: string;
  @Anything({ nullable: true }) data!: null;
}

/** `{message, data: null}`, as after a delete. */
export const done = (message: string): Shaped<void> => new Shaped(Done, () => ({ message, data: null }));

/** The position of a page among all rows. */
export class PageMeta {
  @Int() current_page!: number;
  @Int() per_page!: number;
  @Int() total!: number;
  @Int() last_page!: number;
  @Int({ nullable: true }) from!: number | null;
  @Int({ nullable: true }) to!: number | null;
}

/** One page of rows, cut at an offset. */
export interface Paged<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
  /** From 1. */
  readonly page: number;
  readonly perPage: number;
}

/** What a page reports besides its rows. */
export const pageMeta = ({ rows, total, page, perPage }: Paged<unknown>): PageMeta => {
  const before = (page - 1) * perPage;
  return {
    current_page: page,
    per_page: perPage,
    total,
    last_page: Math.max(1, Math.ceil(total / perPage)),
    from: rows.length === 0 ? null : before + 1,
    to: rows.length === 0 ? null : before + rows.length,
  };
};

/** Rows of a view, and `meta` beside them. */
const rowsDto = (suffix: string, meta: DtoClass) =>
  oncePerView(suffix, (prototype, view) => {
    declare(
      prototype,
      'data',
      List(() => view),
    );
    declare(
      prototype,
      'meta',
      Nested(() => meta),
    );
  });

const pageDto = rowsDto('Page', PageMeta);

/** `{data, meta}` with numbered pages; the handler returns rows and their position. */
export const pageOf = <View extends object>(view: DtoClass<View>): Shaped<Paged<View>> =>
  new Shaped(pageDto(view), (paged) => ({ data: paged.rows, meta: pageMeta(paged) }));

/** What a feed reports besides its rows. */
export class CursorMeta {
  @Text({ nullable: true, description: 'Give it as `cursor` for the next rows; null at the end' })
  next_cursor!: string | null;
}

/** Some rows of a feed, and the cursor of the next. */
export interface Feed<Row> {
  readonly rows: readonly Row[];
  readonly nextCursor: string | null;
}

const cursorDto = rowsDto('Feed', CursorMeta);

/** `{data, meta: {next_cursor}}`; the handler returns rows and the next cursor. */
export const cursorPage = <View extends object>(view: DtoClass<View>): Shaped<Feed<View>> =>
  new Shaped(cursorDto(view), ({ rows, nextCursor }) => ({ data: rows, meta: { next_cursor: nextCursor } }));
