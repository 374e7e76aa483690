import { createHash } from 'node:crypto';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { kept } from './kept';

const compiler = (): Ajv2020 =>
  kept('ajv', () => addFormats(new Ajv2020({ strict: false, allErrors: true })) as Ajv2020);

/**
 * The validator of a schema that refers to nothing outside itself. Compiling one takes ten times what making and comparing its text
 * takes, so each is compiled once in a worker.
 */
export const keptValidator = (schema: object): ValidateFunction => {
  const text = JSON.stringify(schema);
  const hash = createHash('sha256').update(text).digest('hex');
  return kept(`schema ${hash}`, () => compiler().compile(schema));
};
