/** What a list shows of a message without words. */
export const mediaLabels: Readonly<Record<string, string>> = {
  image: '[gambar]',
  video: '[video]',
  audio: '[audio]',
  document: '[dokumen]',
  location: '[lokasi]',
};
