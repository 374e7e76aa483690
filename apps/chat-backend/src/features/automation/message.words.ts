/** What a message says, in words or otherwise. */
export interface MessageWords {
  readonly type: string;
  readonly text: string | null;
  readonly caption: string | null;
  readonly filename: string | null;
  readonly latitude: string | null;
  readonly longitude: string | null;
  readonly place: string | null;
}

/** What the bot reads of a message: its text, or what stands for it (design 5.2). `given`: it gets the file too, which needs no name then. */
export const wordsOf = (
  { type, text, caption, filename, latitude, longitude, place }: MessageWords,
  given = false,
): string => {
  if (text) return text;
  if (given && caption) return caption;
  if (type === 'document') return `[dokumen: ${filename ?? ''}]${caption ? ` ${caption}` : ''}`;
  if (type === 'location') return `[lokasi: ${latitude},${longitude}${place ? ` ${place}` : ''}]`;
  const label = { image: '[gambar]', video: '[video]', audio: '[audio]' }[type] ?? `[${type}]`;
  return caption ? `${label} ${caption}` : label;
};
