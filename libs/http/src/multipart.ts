const CRLF = Buffer.from('\r\n');
const HEADER_END = Buffer.from('\r\n\r\n');
const MAX_FIELDS = 200;

const boundaryOf = (contentType: string): string | undefined => {
  const match = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;]{1,70}))/i.exec(contentType);
  return match?.[1] ?? match?.[2];
};

/** The only header a plain field has, as browsers, curl and undici write it. */
const FIELD_HEADER =
  /^content-disposition: form-data; name="([^"\r\n]+)"(?:\r\ncontent-type: text\/plain(?:;\s*charset=utf-8)?)?$/i;

/**
 * Reads a multipart form (RFC 7578) that has text fields only, from one buffer, in the plain spelling nearly every client
 * uses. Returns undefined for anything else - a file part, a further header, a folded one, a broken boundary - which the
 * caller hands to multer. It exists because callbacks arrive by the thousand and multer costs twice the request
 * (architecture section 10). The first value of a repeated field wins.
 */
export const parseSmallForm = (contentType: string, body: Buffer): Record<string, string> | undefined => {
  const boundary = boundaryOf(contentType);
  if (!boundary) return undefined;
  const delimiter = Buffer.from(`--${boundary}`);
  if (body.indexOf(delimiter) !== 0) return undefined;
  const separator = Buffer.concat([CRLF, delimiter]);
  const fields: Record<string, string> = Object.create(null) as Record<string, string>;
  let at = delimiter.length;
  for (let count = 0; count <= MAX_FIELDS; count++) {
    const mark = body.toString('latin1', at, at + 2);
    if (mark === '--') return fields;
    if (mark !== '\r\n') return undefined;
    const headerEnd = body.indexOf(HEADER_END, at);
    // Headers without an end have no value either: nothing is found after the last byte
    const valueEnd = body.indexOf(separator, headerEnd);
    if (valueEnd < 0) return undefined;
    const name = FIELD_HEADER.exec(body.toString('utf8', at + 2, headerEnd))?.[1];
    if (name === undefined) return undefined;
    fields[name] ??= body.toString('utf8', Math.min(headerEnd + 4, valueEnd), valueEnd);
    at = valueEnd + separator.length;
  }
  return undefined;
};
