const WIDTH = 14;

/** A line of a demo: who, and what they say or what happens. */
export const says = (who: string, text: string): void =>
  console.log(`${who.padStart(WIDTH)} | ${text.replaceAll('\n', `\n${' '.repeat(WIDTH + 1)}| `)}`);
