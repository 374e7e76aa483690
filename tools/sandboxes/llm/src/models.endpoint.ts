import { checkModel } from './dialogue.checks';
import { CREATED, type WireAnswer } from './wire.answer';

const MODELS = ['sandbox-rules-small', 'sandbox-rules-main'];
const describe = (id: string) => ({ id, object: 'model', created: CREATED, owned_by: 'sandbox' });

/** https://platform.openai.com/docs/api-reference/models. Fault models work but are not listed. */
export const listModels = (): WireAnswer => ({ json: { object: 'list', data: MODELS.map(describe) } });

export const showModel = (id: string): WireAnswer => {
  checkModel(id);
  return { json: describe(id) };
};
