import { InvalidInput, type Violation } from '@platform/errors';
import { mediaTypeOfFile, type Upload } from '@platform/http';
import type { Attachment } from '../lifecycle/public';
import type { MediaStore } from '../media/public';

export const ATTACHMENTS = 'lampiran';
const MEGABYTE = 1024 * 1024;
const MOST = 5;
const MOST_BYTES = 10 * MEGABYTE;
const ALLOWED = new Map([
  ['image/jpeg', 'jpg'],
  ['image/png', 'png'],
  ['image/webp', 'webp'],
  ['application/pdf', 'pdf'],
  ['video/mp4', 'mp4'],
]);

/** What the form may hold: somewhat more than is accepted, so that a file too many is told as such and not as a broken form. */
export const attachmentForm = {
  files: { [ATTACHMENTS]: { maxBytes: 2 * MOST_BYTES, maxCount: 4 * MOST } },
  formLimit: (MOST + 1) * MOST_BYTES + MEGABYTE,
} as const;

interface Checked {
  readonly upload: Upload;
  readonly mimetype: string;
}

const wrong = (index: number, tag: string, text: string): Violation => {
  const field = `${ATTACHMENTS}[${index}]`;
  return { field, tag, message: `${field} ${text}` };
};

const violationOf = ({ upload, mimetype }: Checked, index: number): Violation | undefined => {
  if (index >= MOST) return wrong(index, 'max', `is one too many: at maximum ${MOST} files`);
  if (upload.size > MOST_BYTES) return wrong(index, 'max', `must be a maximum of ${MOST_BYTES / MEGABYTE} MB in size`);
  return ALLOWED.has(mimetype)
    ? undefined
    : wrong(index, 'mimetype', `must be one of [${[...ALLOWED.values()].join(' ')}]`);
};

/**
 * Runs `work` with the uploaded files, kept under names of ours; what they are is read from their first bytes, whatever the
 * sender says. When `work` surely failed or says that it kept none, they are removed. Rejects with `InvalidInput` per bad file.
 */
export const withAttachments = async <T extends { readonly changed: boolean }>(
  store: MediaStore,
  uploads: readonly Upload[],
  work: (attachments: readonly Attachment[]) => Promise<T>,
): Promise<T> => {
  const checked = await Promise.all(
    uploads.map(async (upload): Promise<Checked> => ({ upload, ...(await mediaTypeOfFile(upload.path)) })),
  );
  const violations = checked.map(violationOf).filter((violation) => violation !== undefined);
  if (violations.length > 0) throw new InvalidInput(violations);
  const kept = await Promise.all(checked.map(({ upload, mimetype }) => store.keep({ ...upload, mimetype })));
  try {
    const done = await work(kept.map(({ name, ...file }) => ({ url: `media:${name}`, ...file })));
    if (!done.changed) await Promise.all(kept.map(({ name }) => store.discard(name)));
    return done;
  } catch (failure) {
    await Promise.all(kept.map(({ name }) => store.discardAfter(failure, name)));
    throw failure;
  }
};
