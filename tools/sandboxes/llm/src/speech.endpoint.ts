import { checkModel } from './dialogue.checks';
import { isRecord, numberAt, textAt, type Json } from './json.reader';
import type { WireAnswer } from './wire.answer';
import { WireError } from './wire.errors';

const MARK = Buffer.from('SANDBOX-SPEECH:');
/** Bytes of a second of a voice note, about. */
const BYTES_A_SECOND = 2_000;

/** What stands behind the mark, up to the first control character: nothing is heard, a test says what is said. */
const speechIn = (file: Buffer): string => {
  const at = file.indexOf(MARK);
  if (at === -1) return '';
  const rest = file.subarray(at + MARK.length);
  const end = rest.findIndex((byte) => byte < 0x20 || byte === 0x7f);
  return rest
    .subarray(0, end === -1 ? rest.length : end)
    .toString('utf8')
    .trim();
};

/** The fields of a form as a request body; a file by its name, type, size and what is said in it. */
export const readForm = async (bytes: Buffer, contentType: string): Promise<Json> => {
  try {
    const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } }).formData();
    const body: Json = {};
    for (const [name, value] of form)
      body[name] =
        typeof value === 'string'
          ? value
          : await value.arrayBuffer().then((buffer) => {
              const file = Buffer.from(buffer);
              return { name: value.name, type: value.type, bytes: file.length, speech: speechIn(file) };
            });
    return body;
  } catch {
    throw new WireError(400, 'invalid', 'The request body is not a form that can be read (multipart/form-data).');
  }
};

/** https://platform.openai.com/docs/api-reference/audio/createTranscription */
export const createTranscription = (body: Json, empty: boolean): WireAnswer => {
  checkModel(textAt(body, 'model') ?? '');
  const { file } = body;
  if (!isRecord(file)) throw new WireError(400, 'invalid', "'file' must be a recording.", { param: 'file' });
  const text = empty ? '' : (textAt(file, 'speech') ?? '');
  const seconds = Math.max(1, Math.ceil((numberAt(file, 'bytes') ?? 0) / BYTES_A_SECOND));
  const format = textAt(body, 'response_format') ?? 'json';
  if (format === 'text') return { text: `${text}\n` };
  if (format === 'json') return { json: { text, usage: { type: 'duration', seconds } } };
  if (format !== 'verbose_json')
    throw new WireError(400, 'invalid', "'response_format' must be json, verbose_json or text here.", {
      param: 'response_format',
    });
  const whole = { task: 'transcribe', language: 'indonesian', duration: seconds, text };
  return { json: { ...whole, segments: [], usage: { type: 'duration', seconds } } };
};
