import { cut } from '@platform/runtime';

/** What is shown of a page where its address is sent to somebody. */
export interface PagePreview {
  /** Its title unless given. */
  readonly title?: string;
  readonly description: string;
  readonly picture?: string | undefined;
}

const MOST_TOLD = 200;

/** On one line, and as long as others show; a picture that they cannot fetch is none. */
export const previewOf = (preview: PagePreview | undefined) => {
  if (!preview) return undefined;
  const { title, description, picture } = preview;
  const line = description.replace(/\s+/g, ' ').trim();
  const told = cut(line, MOST_TOLD);
  return {
    title,
    description: told === line ? line : `${cut(line, MOST_TOLD - 1)}…`,
    picture: picture && /^https?:/.test(picture) ? picture : undefined,
  };
};
