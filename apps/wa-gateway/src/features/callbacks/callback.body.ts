import { callbackParts, CALLBACK_FILE_PART, type CallbackPayload } from '@platform/contracts';

export interface FilePart {
  readonly name: string;
  readonly mimetype: string;
  readonly bytes: Buffer;
}

export interface MultipartBody {
  readonly contentType: string;
  readonly bytes: Buffer;
}

const CRLF = '\r\n';

/** Names inside a header: RFC 7578 section 4.2 and the HTML standard escape just these. */
const quoted = (name: string): string => name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

/**
 * The callback as multipart/form-data in one buffer (RFC 7578): text parts in the order of the contract's table, the file
 * last. The boundary follows from the event id, so that a repeated try has the same bytes and signs the same body.
 */
export const callbackBody = (payload: CallbackPayload, eventId: string, file?: FilePart): MultipartBody => {
  const boundary = `gateway-${eventId.replaceAll('-', '')}`;
  const open = (disposition: string): string =>
    `--${boundary}${CRLF}Content-Disposition: form-data; ${disposition}${CRLF}`;
  const fields = callbackParts(payload)
    .map(([name, value]) => `${open(`name="${name}"`)}${CRLF}${value}${CRLF}`)
    .join('');
  const end = `--${boundary}--${CRLF}`;
  const parts = file
    ? [
        Buffer.from(
          `${fields}${open(`name="${CALLBACK_FILE_PART}"; filename="${quoted(file.name)}"`)}Content-Type: ${file.mimetype}${CRLF}${CRLF}`,
        ),
        file.bytes,
        Buffer.from(CRLF + end),
      ]
    : [Buffer.from(fields + end)];
  return { contentType: `multipart/form-data; boundary=${boundary}`, bytes: Buffer.concat(parts) };
};
