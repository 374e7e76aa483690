import { exposureOf, NO_GROUPS, refuseUndescribed, type Exposure, type Groups } from './exposure';
import { fieldsOf, type DtoClass, type Field, type FieldWriter } from './field';
import { asJson, listWriter, mismatch } from './values';

export type { Groups } from './exposure';

/** Writes a handler's value; `groups` are the caller's abilities, none by default. */
export type ReplyWriter = (value: unknown, groups?: Groups) => Record<string, unknown> | null;

type Compiled = (source: object, groups: Groups) => Record<string, unknown>;
type Member = (value: unknown, source: object, groups: Groups) => unknown;

const SCALARS: ReadonlyMap<unknown, (value: unknown) => unknown> = new Map<unknown, (value: unknown) => unknown>([
  [String, String],
  [Number, Number],
  [Boolean, Boolean],
  [Date, (value) => new Date(value as string)],
]);

/** `@Type` names the class of the value: a DTO is written by its own members, alone or in a list. */
const typed = (type: () => DtoClass, write: FieldWriter): FieldWriter => {
  return (value, member, groups) => {
    if (value === null) return null;
    const convert = SCALARS.get(type());
    if (convert) return write(convert(value), member, groups);
    const inner = objectWriter(type);
    return Array.isArray(value) ? listWriter(inner)(value, member, groups) : inner(value, member, groups);
  };
};

const memberOf = (dto: DtoClass, field: Field, { shownTo, transform, type }: Exposure): Member => {
  const member = `${dto.name}.${field.name}`;
  const write = type ? typed(type, field.write) : field.write;
  const present = (value: unknown, groups: Groups) => (value === undefined ? undefined : write(value, member, groups));
  const whole: Member = transform
    ? (value, source, groups) => present(transform(value, source, groups), groups)
    : (value, _source, groups) => present(value, groups);
  return shownTo ? (value, source, groups) => (shownTo(groups) ? whole(value, source, groups) : undefined) : whole;
};

/**
 * One object literal with the members of the DTO and no others, as generated code: JavaScript engines build a literal
 * several times faster than they set the same members one by one by names from a list. The names are quoted and come
 * from our own classes.
 */
const compile = (dto: DtoClass): Compiled => {
  refuseUndescribed(dto);
  const members: Member[] = [];
  const parts = fieldsOf(dto).flatMap((field) => {
    const exposure = exposureOf(dto, field.name);
    if (!exposure) return [];
    const at = members.push(memberOf(dto, field, exposure)) - 1;
    return `${JSON.stringify(exposure.name)}: m${at}(source[${JSON.stringify(field.name)}], source, groups)`;
  });
  const names = members.map((_, at) => `m${at}`);
  const code = `return (source, groups) => ({ ${parts.join(', ')} }); //# sourceURL=reply-${dto.name}`;
  return (new Function(...names, code) as (...all: Member[]) => Compiled)(...members);
};

const plans = new Map<DtoClass, Compiled>();

const planOf = (dto: DtoClass): Compiled => {
  const known = plans.get(dto);
  if (known) return known;
  const made = compile(dto);
  plans.set(dto, made);
  return made;
};

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Writes an object of a DTO, which is looked up at the first value: classes may name each other. */
export const objectWriter = (dto: () => DtoClass): FieldWriter => {
  let plan: Compiled | undefined;
  return (value, member, groups) => {
    if (value === null || value === undefined) return null;
    const source = typeof value === 'object' ? asJson(value) : value;
    if (source === null) return null;
    return isObject(source) ? (plan ??= planOf(dto()))(source, groups) : mismatch(member, 'an object', value);
  };
};

/** The DTO of a row: its class, else the one whose required members are all present, the largest of several. */
const shapeOf = (row: unknown, dtos: readonly DtoClass[], member: string): DtoClass => {
  const own = dtos.find((dto) => row instanceof dto);
  if (own) return own;
  const has = ({ name }: Field) => (row as Record<string, unknown> | null)?.[name] !== undefined;
  const fitting = dtos
    .map((dto) => ({ dto, fields: fieldsOf(dto) }))
    .filter(({ fields }) => fields.every((field) => field.options.optional || has(field)))
    .sort((one, other) => other.fields.filter(has).length - one.fields.filter(has).length);
  return fitting[0]?.dto ?? mismatch(member, `of the shape ${dtos.map(({ name }) => name).join(' or ')}`, row);
};

/** Writes an object of one of several DTOs: of its class, else of the largest one whose required members it has. */
export const writerOfOne = (dtos: readonly DtoClass[]): ReplyWriter => {
  const wanted = dtos.map(({ name }) => name).join(' or ');
  return (value, groups = NO_GROUPS) => {
    if (value === null || value === undefined) return null;
    return isObject(value) ? planOf(shapeOf(value, dtos, wanted))(value, groups) : mismatch(wanted, 'an object', value);
  };
};

/** A list whose first row decides by which of the DTOs all rows are written. */
export const rowsWriter = (dtos: () => readonly DtoClass[]): FieldWriter => {
  return (value, member, groups) => {
    const first: unknown = Array.isArray(value) ? value[0] : undefined;
    if (first === undefined) return listWriter((row) => row)(value, member, groups);
    const shape = shapeOf(first, dtos(), member);
    return listWriter(objectWriter(() => shape))(value, member, groups);
  };
};

/**
 * The writer of a reply: a plain value with the members of the DTO alone, whatever else the handler's value holds, so
 * that an undeclared column or secret is never sent. Compiled once per DTO.
 * - class-transformer's `@Expose({ name, groups })`, `@Exclude`, `@Type` and `@Transform` hold; a member with groups goes
 *   out to a caller who has one of them. A getter of a class is a member like any other.
 * - Dates are ISO 8601 texts, a bigint is digits in a text and a number where it is exact; a member without a value is
 *   undefined, which JSON leaves out; no object where one is expected is null; an object with `toJSON` is what that says.
 * - Throws a TypeError that names the member when a value is nothing the DTO documents: a list for an object, an object
 *   for a text; for a number a text, NaN, an infinity or a bigint beyond 2^53.
 */
export const writerOf = (dto: DtoClass): ReplyWriter => {
  const write = objectWriter(() => dto);
  return (value, groups = NO_GROUPS) => write(value, dto.name, groups) as ReturnType<ReplyWriter>;
};
