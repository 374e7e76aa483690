// What other features of this app may use.
export type { AcceptanceService } from './acceptance.service';
export type { MediaService } from './media.service';
