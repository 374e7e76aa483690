import { JsonText } from '@platform/http';

/** `{"result":true,...}` around members that are JSON text (contract: success envelope). */
export const resultOf = (members: string): JsonText => new JsonText(`{"result":true,${members}}`);

/** The same around the members of an object that PostgreSQL wrote. It is copied for that; `resultOf` copies nothing. */
export const resultText = (object: string): JsonText => new JsonText(`{"result":true,${object.trimStart().slice(1)}`);
