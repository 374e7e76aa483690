import { jsonObject, Refused, type Call, type Json } from '@platform/sandbox-till';

export const refusal = (status: number, error_code: string, message: string): Refused =>
  new Refused({ status, json: { error_code, message } });

export const bodyOf = ({ raw }: Call): Json => {
  const body = jsonObject(raw);
  if (!body) throw refusal(400, 'INVALID_JSON_FORMAT', 'The body is not a JSON object');
  return body;
};
