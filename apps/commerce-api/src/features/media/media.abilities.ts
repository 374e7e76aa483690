/** What a caller may do with files. */
export const mediaAbilities = ['upload.write'] as const;
