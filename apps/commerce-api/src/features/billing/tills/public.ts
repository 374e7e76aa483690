export { billPayments, withdrawBills, type BillPayments } from './bill.payments';
