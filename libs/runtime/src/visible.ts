/** Anything but white space, controls, halves of pairs, what joins, spaces or turns others, fillers, and the empty cell of braille. */
const SEEN = /[^\s\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/u;
const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Whether a reader sees anything of a text. */
export const hasVisible = (text: string): boolean => SEEN.test(text);

/** A text for where nothing keeps it apart from what stands around it: without the characters that turn the direction. */
export const withoutTurns = (text: string): string => text.replace(TURNING, '');
