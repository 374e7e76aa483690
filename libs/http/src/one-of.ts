import type { DtoClass } from '@platform/validation';

/** A reply that is one of several: DTOs, or kinds of answers such as `bytes`. */
export class OneOf<Reply extends DtoClass | string> {
  constructor(readonly choices: readonly Reply[]) {}

  /** The choices that are DTOs. */
  get dtos(): DtoClass[] {
    return this.choices.filter((choice): choice is Reply & DtoClass => typeof choice === 'function');
  }
}

/** `reply: oneOf(TokenReply, SecondFactorNeeded)`: a value is written by its class, or by the largest DTO that it matches. */
export const oneOf = <const Replies extends readonly (DtoClass | string)[]>(
  ...choices: Replies
): OneOf<Replies[number]> => new OneOf(choices);
