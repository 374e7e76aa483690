import type { Hearing } from '../hearing/public';

/** Perceives nothing: a line names what came with it. */
export const labelHearing: Hearing = {
  understand: (messages) =>
    Promise.resolve({
      lines: messages.map(({ content, images, audio }) => ({
        content: [content, ...images.map(() => '[gambar]'), ...audio.map(() => '[audio]')].filter(Boolean).join('\n'),
      })),
      attempts: [],
    }),
};
