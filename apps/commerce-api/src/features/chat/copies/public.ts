export { together } from './together';
export { ChatCopies, touch, type ChangedRow, type CopiedKind, type CopiedRows, type Standing } from './chat.copies';
