export { acceptPayment, giveBackPayment, paymentsInReview, reviewedPayment, type Reviewed } from './reviews';
