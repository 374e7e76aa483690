import {
  getMetadataStorage,
  ValidationTypes,
  type ValidationArguments,
  type ValidatorConstraintInterface,
} from 'class-validator';
import type { DtoClass } from './field';

export interface ForeignRule {
  readonly tag: string;
  readonly message: (field: string) => string;
  readonly test: (value: unknown, object: object) => boolean;
}

type Metadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

const messageOf =
  (metadata: Metadata, constraint: ValidatorConstraintInterface, args: ValidationArguments) => (field: string) => {
    const own = metadata.message ?? (constraint.defaultMessage?.(args) || `${field} is not valid`);
    const text = typeof own === 'function' ? own(args) : own;
    return text
      .replaceAll('$property', field)
      .replace(/\$constraint(\d+)/g, (_, n: string) => String(args.constraints[Number(n) - 1]));
  };

/**
 * class-validator's own decorators beside ours on one property: their constraints run after our field's rules, in the
 * order they are written. Conditional and nested decorators are ours (`requiredWithout`, `Nested`, `List`).
 */
export const foreignRules = (dto: DtoClass, property: string): ForeignRule[] => {
  const storage = getMetadataStorage();
  const found = storage
    .getTargetValidationMetadatas(dto, '', false, false)
    .filter((metadata) => metadata.propertyName === property && metadata.type === ValidationTypes.CUSTOM_VALIDATION);
  return found.reverse().flatMap((metadata) =>
    storage.getTargetValidatorConstraints(metadata.constraintCls).map(({ instance, name }) => {
      const args = {
        property,
        targetName: dto.name,
        constraints: metadata.constraints ?? [],
        value: undefined,
        object: {},
      };
      const test = (value: unknown, object: object) => instance.validate(value, { ...args, value, object }) === true;
      return { tag: metadata.name ?? name, message: messageOf(metadata, instance, args), test };
    }),
  );
};
