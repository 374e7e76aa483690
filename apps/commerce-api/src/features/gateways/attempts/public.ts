export { CheckoutRequest } from './attempts.dto';
export { buyersWays } from './buyers-ways';
export { Attempts } from './attempts.service';
