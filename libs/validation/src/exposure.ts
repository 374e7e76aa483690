import { TransformationType, type TransformFnParams } from 'class-transformer';
import { defaultMetadataStorage as storage } from '#transformer-storage';
import { fieldsOf, type DtoClass } from './field';

/** The groups of a caller: the abilities that `@Expose({ groups })` names. */
export type Groups = ReadonlySet<string>;

export const NO_GROUPS: Groups = new Set();

/** class-transformer's decorators of one member of a reply. */
export interface Exposure {
  /** Its name on the wire, `@Expose({ name })`. */
  readonly name: string;
  /** Whether this caller may see it; undefined when everybody may. */
  readonly shownTo?: (groups: Groups) => boolean;
  /** The `@Transform`s one after the other, the topmost first. */
  readonly transform?: (value: unknown, source: object, groups: Groups) => unknown;
  /** The class of `@Type`. */
  readonly type?: () => DtoClass;
  /** Whether the caller's groups decide if or how it is shown. */
  readonly byGroups: boolean;
}

interface Direction {
  readonly toClassOnly?: boolean;
  readonly toPlainOnly?: boolean;
  readonly since?: number;
  readonly until?: number;
}

/** Decorators for reading (`toClassOnly`) do not affect answers. Versions are refused, because nothing here uses one. */
const whenWriting = <M extends { readonly options: Direction }>(metadata: M | undefined, member: string) => {
  const { toClassOnly, toPlainOnly, since, until } = metadata?.options ?? {};
  if (since !== undefined || until !== undefined)
    throw new Error(`${member}: replies have no versions, leave out since and until`);
  return toClassOnly && !toPlainOnly ? undefined : metadata;
};

const anyOf = (wanted: readonly string[] | undefined): Exposure['shownTo'] =>
  wanted && wanted.length > 0 ? (groups) => wanted.some((group) => groups.has(group)) : undefined;

const transformsOf = (dto: DtoClass, property: string, member: string) =>
  storage
    .findTransformMetadatas(dto, property, TransformationType.CLASS_TO_PLAIN)
    .flatMap((metadata) => whenWriting(metadata, member) ?? [])
    .map(({ transformFn, options }) => ({ transformFn, appliesTo: anyOf(options.groups) }));

const transformOf = (all: ReturnType<typeof transformsOf>, property: string): Exposure['transform'] => {
  if (all.length === 0) return undefined;
  return (first, obj, groups) => {
    const options = { groups: [...groups] };
    const rest: Omit<TransformFnParams, 'value'> = {
      key: property,
      obj,
      type: TransformationType.CLASS_TO_PLAIN,
      options,
    };
    return all.reduce<unknown>(
      (value, { transformFn, appliesTo }) =>
        !appliesTo || appliesTo(groups) ? (transformFn({ ...rest, value }) as unknown) : value,
      first,
    );
  };
};

const typeOf = (dto: DtoClass, property: string, member: string): Exposure['type'] => {
  const metadata = storage.findTypeMetadata(dto, property);
  if (metadata?.options?.discriminator)
    throw new Error(`${member}: a discriminator is not written, describe the shapes with ListOfOne`);
  return metadata && (() => metadata.typeFunction({ newObject: {}, object: {}, property }) as DtoClass);
};

/** Unlike class-transformer, which forgets `@Exclude` at a parent class. */
const hidesAll = (dto: DtoClass): boolean => {
  for (let at: unknown = dto; typeof at === 'function' && at !== Function.prototype; at = Object.getPrototypeOf(at))
    if (storage.getStrategy(at) === 'excludeAll') return true;
  return false;
};

/**
 * class-transformer's decorators of a member, or undefined when it is never sent. Members are sent unless they have
 * `@Exclude`, or their class has it and they have no `@Expose`.
 */
export const exposureOf = (dto: DtoClass, property: string): Exposure | undefined => {
  const member = `${dto.name}.${property}`;
  const expose = whenWriting(storage.findExposeMetadata(dto, property), member);
  if (!expose && hidesAll(dto)) return undefined;
  if (whenWriting(storage.findExcludeMetadata(dto, property), member)) return undefined;
  const { name = property, groups } = expose?.options ?? {};
  if (name === '__proto__') throw new Error(`${member}: no member can be called __proto__`);
  const shownTo = anyOf(groups);
  const transforms = transformsOf(dto, property, member);
  return {
    name,
    shownTo,
    transform: transformOf(transforms, property),
    type: typeOf(dto, property, member),
    byGroups: shownTo !== undefined || transforms.some(({ appliesTo }) => appliesTo),
  };
};

/** Throws for an exposed member that no field decorator describes: it would be sent without being documented. */
export const refuseUndescribed = (dto: DtoClass): void => {
  const described = new Set(fieldsOf(dto).map(({ name }) => name));
  const property = storage
    .getExposedProperties(dto, TransformationType.CLASS_TO_PLAIN)
    .find((name) => !described.has(name));
  if (property !== undefined)
    throw new Error(`${dto.name}.${property} is exposed but not described: give it a field decorator`);
};
