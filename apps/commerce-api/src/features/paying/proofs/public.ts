export { ProofsService } from './proofs.service';
