import { JsonText } from '@platform/http';

/** `{"result":true,...}` around the members of a JSON object text, without reading it (contract: success envelope). */
export const resultText = (members: string): JsonText => new JsonText(`{"result":true,${members.trimStart().slice(1)}`);
