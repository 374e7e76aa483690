export { ChatCopies, type ChangedRow, type CopiedKind, type CopiedRows, type Standing } from './chat.copies';
