import type { JSX } from 'preact';
import { useReader } from './reading';

/** How far a form with a file has come; shown by script, which sends it and can stop it. `most`: bytes that it may have. */
export const UploadProgress = ({ most }: { readonly most: number }): JSX.Element => {
  const { upload } = useReader();
  return (
    <div class="upload" data-upload={most} data-lost={upload.lost} data-large={upload.tooLarge} hidden>
      <progress max={100} value={0} aria-label={upload.sending} />
      <b />
      <p role="status">{upload.sending}</p>
      <button class="button" type="button" data-upload-stop>
        {upload.cancel}
      </button>
    </div>
  );
};
