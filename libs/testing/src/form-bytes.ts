import { randomUUID } from 'node:crypto';

const normal = (text: string): string => text.replaceAll(/\r\n?|\n/g, '\r\n');
const escaped = (name: string): string =>
  normal(name).replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');

export interface FormBytes {
  readonly type: string;
  readonly bytes: Buffer;
}

/** A form as `fetch` sends it, at once: for streams that nobody waits for. */
export const formBytes = async (form: FormData): Promise<FormBytes> => {
  const boundary = `form-${randomUUID()}`;
  const parts: (string | Buffer)[] = [];
  for (const [name, value] of form.entries()) {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(name)}"`;
    if (typeof value === 'string') parts.push(`${head}\r\n\r\n${normal(value)}\r\n`);
    else {
      const file = `; filename="${escaped(value.name)}"\r\nContent-Type: ${value.type || 'application/octet-stream'}`;
      parts.push(`${head}${file}\r\n\r\n`, Buffer.from(await value.arrayBuffer()), '\r\n');
    }
  }
  parts.push(`--${boundary}--\r\n`);
  const bytes = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
  return { type: `multipart/form-data; boundary=${boundary}`, bytes };
};
