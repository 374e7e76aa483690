export { CheckoutRequest } from './attempts.dto';
export { Attempts } from './attempts.service';
